"""What every generator of motion shares: the contract, one driver, costs, errors, finishing,
problems, report.
"""

from motionloom.synthesis.bridges import Bridge, Bridged, fit_bridge
from motionloom.synthesis.costs import register_cost
from motionloom.synthesis.driver import Synthesis, SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.finish import Finished, FinishOptions
from motionloom.synthesis.generator import Draft, Fitted, Generator, Reason, register_generator
from motionloom.synthesis.report import SynthesisReport

__all__ = [
    "Bridge",
    "Bridged",
    "Draft",
    "FinishOptions",
    "Finished",
    "Fitted",
    "Generator",
    "Reason",
    "Synthesis",
    "SynthesisOptions",
    "SynthesisReport",
    "fit_bridge",
    "fit_generator",
    "register_cost",
    "register_generator",
    "synthesize",
]
