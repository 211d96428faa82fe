"""Synthetic restaurants and support tickets for the demo data.

Nobody and nothing in them is real: names, streets, towns and 555 phone numbers are drawn
from the word lists below, with the typing errors and ambiguities that make the work hard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

Rng = np.random.Generator


def pick(rng: Rng, options: Sequence[str]) -> str:
    """One of the options, all equally likely."""
    return options[int(rng.integers(len(options)))]


def chance(rng: Rng, probability: float) -> bool:
    """True with the given probability."""
    return bool(rng.random() < probability)


def typo(rng: Rng, text: str) -> str:
    """The text with one character lost, doubled, or swapped with the next."""
    i = int(rng.integers(len(text) - 1))
    before, here, after, rest = text[:i], text[i], text[i + 1], text[i + 2 :]
    return before + pick(rng, (after, here + here + after, after + here)) + rest


LISTINGS, SHARED = 92, 8  # per town: restaurants in each directory, and in both

TOWNS = (
    "Alderport",
    "Brackwater",
    "Cedar Falls",
    "Dunmoor",
    "Eastlake",
    "Fernhollow",
    "Glenbury",
    "Harrow Bay",
    "Ironbridge",
    "Juniper Hill",
    "Kingsmere",
    "Larkfield",
)
CHAINS = ("Pronto Pizza", "Noodle Post", "Burger Yard", "Taco Parade", "The Daily Bean")
QUALITIES = (
    *("Golden", "Blue", "Little", "Old", "Silver", "Royal", "Lucky", "Green", "Red", "Happy"),
    *("Jade", "Rustic", "Copper", "Sunny", "Grand", "Hidden"),
)
THINGS = (
    *("Lantern", "Dragon", "Olive", "Anchor", "Garden", "Palace", "Oak", "Spoon", "Lotus"),
    *("Rooster", "Harbour", "Fig", "Pepper", "Moon", "Table", "Fox", "Saffron", "Willow"),
)
OWNERS = (
    *("Marco", "Rosa", "Chen", "Patel", "Nadia", "Luigi", "Sofia", "Omar", "Yuki", "Hanna"),
    *("Pierre", "Elena", "Kofi", "Ines", "Tomas", "Mei", "Amir", "Greta"),
)
KINDS = (
    *("Grill", "Kitchen", "Bistro", "Trattoria", "Diner", "Cafe", "Tavern", "Sushi Bar"),
    *("Steakhouse", "Noodle House", "Bakery", "Taqueria", "Curry House"),
)
STREETS = (
    *("Main", "Market", "Station", "Church", "Mill", "River", "Park", "High", "Elm", "Maple"),
    *("Bridge", "Castle", "Union", "Lake", "Victoria", "Garden", "Orchard", "College"),
)
WAYS = {"Street": "St", "Avenue": "Ave", "Road": "Rd", "Boulevard": "Blvd", "Lane": "Ln"}


class Restaurant(NamedTuple):
    """What a directory says about a restaurant."""

    name: str
    address: str
    phone: str


def restaurant_name(rng: Rng) -> str:
    """A branch of a chain now and then, else an invented name."""
    if chance(rng, 0.12):
        return pick(rng, CHAINS)
    if chance(rng, 0.4):
        return f"{pick(rng, OWNERS)}'s {pick(rng, KINDS)}"
    ending = f" {pick(rng, KINDS)}" if chance(rng, 0.5) else ""
    return f"{pick(rng, QUALITIES)} {pick(rng, THINGS)}{ending}"


def restaurant_phone(rng: Rng) -> str:
    """A number on the exchange 555."""
    return f"555-{rng.integers(10_000):04}"


def restaurant(rng: Rng) -> Restaurant:
    """A restaurant as the first directory lists it; some share the stalls of a food hall."""
    if chance(rng, 0.08):
        return Restaurant(restaurant_name(rng), "1 Market Hall", restaurant_phone(rng))
    street = f"{pick(rng, STREETS)} {pick(rng, tuple(WAYS))}"
    address = f"{rng.integers(1, 300)} {street}"
    return Restaurant(restaurant_name(rng), address, restaurant_phone(rng))


def other_name(rng: Rng, name: str) -> str:
    """The name as someone else writes it: another kind of place, a word less, a typo."""
    first, *rest = name.split()
    if chance(rng, 0.2):
        name = f"{first} {pick(rng, KINDS)}"
    elif rest and chance(rng, 0.35):
        name = " ".join([first, *rest[:-1]])
    elif chance(rng, 0.25):
        name = f"The {name}" if chance(rng, 0.5) else f"{name} Restaurant"
    return typo(rng, name) if chance(rng, 0.3) else name


def short_street(address: str) -> str:
    """The address in the second directory's style: "12 Mill St"."""
    *start, way = address.split()
    return " ".join([*start, WAYS.get(way, way)])


def relisted(rng: Rng, place: Restaurant) -> Restaurant:
    """The same restaurant in the second directory: renamed, moved, mistyped, or as it was."""
    name, address, phone = place
    if chance(rng, 0.7):
        name = other_name(rng, name)
    if chance(rng, 0.25):
        address = restaurant(rng).address
    elif chance(rng, 0.2):
        address = typo(rng, address)
    if chance(rng, 0.4):
        phone = restaurant_phone(rng)
    return second_style(rng, Restaurant(name, address, phone))


def second_style(rng: Rng, place: Restaurant) -> Restaurant:
    """A listing of the second directory: short street names, a third without a phone."""
    phone = "" if chance(rng, 0.33) else place.phone
    return Restaurant(place.name, short_street(place.address), phone)


def town_pairs(rng: Rng, town: str) -> pd.DataFrame:
    """Every pair of a left and a right listing of one town; equal keys are a match."""
    left = [restaurant(rng) for _ in range(LISTINGS)]
    right = [relisted(rng, place) for place in left[:SHARED]]
    right += [second_style(rng, restaurant(rng)) for _ in range(LISTINGS - SHARED)]
    sides = (
        pd.DataFrame(side, columns=[f"{which}_{field}" for field in Restaurant._fields])
        for which, side in (("left", left), ("right", right))
    )
    keyed = (side.rename_axis(side.columns[0][0]).reset_index() for side in sides)
    pairs = next(keyed).merge(next(keyed), how="cross")
    pairs["label"] = ((pairs["l"] == pairs["r"]) & (pairs["l"] < SHARED)).astype(int)
    return pairs.drop(columns=["l", "r"]).assign(city=town)


def restaurant_pairs(rng: Rng) -> pd.DataFrame:
    """All pairs within each town: columns left_*, right_*, `label` and `city`."""
    return pd.concat([town_pairs(rng, town) for town in TOWNS], ignore_index=True)


PRODUCTS = ("kettle", "headphones", "desk lamp", "router", "blender", "backpack", "keyboard")
MONTHS = ("January", "March", "May", "July", "September", "November")

SENTENCES = {
    "billing": (
        "I was charged twice for the {product}.",
        "The invoice for {month} shows {number} euros more than we agreed.",
        "My card was debited although the order failed.",
        "Please correct the VAT number on invoice {number}.",
        "Why does the bill for {month} list {number} items?",
    ),
    "delivery": (
        "The {product} has not arrived after {number} days.",
        "Tracking has shown 'in transit' since {month}.",
        "The courier left the parcel with a neighbour I do not know.",
        "Half of my order is missing from the box.",
        "The parcel went to my old address.",
    ),
    "account": (
        "I cannot log in since {month}.",
        "The password reset mail never comes.",
        "Please change the email address of my account.",
        "My account is locked after {number} attempts.",
        "The code for signing in is always rejected.",
    ),
    "defect": (
        "The {product} stopped working after {number} days.",
        "There is a crack in the {product}.",
        "The {product} makes a loud noise and gets hot.",
        "The switch of the {product} is broken.",
        "The {product} turns itself off every {number} minutes.",
    ),
    "refund": (
        "I would like my money back.",
        "When will the {number} euros be returned to my card?",
        "I sent the {product} back in {month} and still wait for the refund.",
        "Please reimburse me for the {product}.",
    ),
    "cancel": (
        "Please cancel my order for the {product}.",
        "I want to end my subscription in {month}.",
        "Stop the order, I do not need it any more.",
        "How do I withdraw from the contract?",
    ),
    "urgent": (
        "I need an answer today.",
        "This is the {number}th time I write, please hurry.",
        "It must be solved before the weekend.",
        "We cannot work until this is settled.",
    ),
}
TICKET_LABELS = tuple(SENTENCES)

VAGUE = {  # what people say instead; most of it can mean two things
    "billing": "Something is wrong with the money.",
    "delivery": "Now it is too late for me.",
    "account": "It does not work.",
    "defect": "It does not work.",
    "refund": "Something is wrong with the money.",
    "cancel": "Now it is too late for me.",
    "urgent": "I am losing my patience.",
}
ASIDES = (  # said in passing, never by someone who has the concern named first
    ("delivery", "The delivery itself was quick, thank you."),
    ("billing", "I paid the invoice for the {product} in {month}."),
    ("account", "I am logged in with my usual account."),
    ("urgent", "There is no hurry, please take your time to answer."),
    ("refund", "I do not want my money back, only an explanation."),
    ("defect", "The {product} works very well, by the way."),
    ("cancel", "I do not want to cancel my order."),
    ("delivery", "My order number is {number}, the parcel came in {month}."),
    ("account", "I have had an account for {number} years."),
)
FIRST = {"billing": 0.25, "delivery": 0.25, "account": 0.18, "defect": 0.22, "cancel": 0.10}
THEN = {  # how often a ticket about the first also asks for the second
    ("billing", "refund"): 0.35,
    ("billing", "cancel"): 0.15,
    ("delivery", "refund"): 0.25,
    ("delivery", "cancel"): 0.15,
    ("delivery", "defect"): 0.10,
    ("account", "billing"): 0.10,
    ("defect", "refund"): 0.40,
    ("cancel", "refund"): 0.30,
}
CHANNELS = ("email", "form", "chat")


def ticket_labels(rng: Rng) -> tuple[str, ...]:
    """What the customer wants: one first concern, perhaps what follows from it, and hurry."""
    first = str(rng.choice(list(FIRST), p=list(FIRST.values())))
    also = [then for (cause, then), p in THEN.items() if cause == first and chance(rng, p)]
    hurry = ["urgent"] if chance(rng, 0.18) else []
    return (first, *also, *hurry)


def ticket_text(rng: Rng, labels: Sequence[str], channel: str) -> str:
    """A sentence per label, some of them vague, with asides; chats are hasty."""
    spoken = [VAGUE[x] if chance(rng, 0.3) else pick(rng, SENTENCES[x]) for x in labels]
    asides = [aside for concern, aside in ASIDES if concern not in labels]
    spoken += [asides[i] for i in rng.choice(len(asides), int(rng.integers(3)), replace=False)]
    text = " ".join(spoken[i] for i in rng.permutation(len(spoken))).format(
        product=pick(rng, PRODUCTS), month=pick(rng, MONTHS), number=rng.integers(3, 30)
    )
    if channel == "chat":
        for _ in range(len(text) // 25):
            text = typo(rng, text)
        return text.lower().replace(".", "")
    return text


def tickets(rng: Rng, n: int) -> pd.DataFrame:
    """`n` tickets: columns `labels` (a tuple of names), `text` and `channel`."""
    rows = []
    for _ in range(n):
        labels, channel = ticket_labels(rng), pick(rng, CHANNELS)
        rows.append((labels, ticket_text(rng, labels, channel), channel))
    return pd.DataFrame(rows, columns=["labels", "text", "channel"])
