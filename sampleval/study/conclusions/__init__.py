"""What an answered run says: one number or several, how sure, and what it cannot tell."""

from sampleval.study.conclusions.anytime import WHERE_KNOWN, Obstacle, bets, obstacle, refused
from sampleval.study.conclusions.census import true_value
from sampleval.study.conclusions.estimate import About, Estimate, conclude
from sampleval.study.conclusions.grounds import FEW, has_labels, no_positive, positives, worst
from sampleval.study.conclusions.joint import JointEstimate, conclude_jointly
from sampleval.study.conclusions.off_target import blind_spot, hardly_met, narrowed
from sampleval.study.conclusions.rare_classes import MET, met

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
