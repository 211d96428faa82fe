"""Conclusions from an answered run: scalar and vector estimates, their limits, and notes."""

from sampleval.study.conclusions.anytime import WHERE_KNOWN, Obstacle, bets, obstacle, refused
from sampleval.study.conclusions.census import has_labels, true_value
from sampleval.study.conclusions.estimate import Estimate, conclude
from sampleval.study.conclusions.future import About
from sampleval.study.conclusions.joint import JointEstimate, conclude_jointly
from sampleval.study.conclusions.rare_classes import MET, met
from sampleval.study.conclusions.remarks import worst
from sampleval.study.conclusions.too_few import FEW, blind_spot, hardly_met, narrowed, no_positive, positives

__all__ = [
    "FEW",
    "MET",
    "WHERE_KNOWN",
    "About",
    "Estimate",
    "JointEstimate",
    "Obstacle",
    "bets",
    "blind_spot",
    "conclude",
    "conclude_jointly",
    "hardly_met",
    "has_labels",
    "met",
    "narrowed",
    "no_positive",
    "obstacle",
    "positives",
    "refused",
    "true_value",
    "worst",
]
