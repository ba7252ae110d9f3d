"""What every generator of motion shares: the contract, one driver, costs, errors, finishing,
problems, report.
"""

from motionloom.analysis.faults.find import Fault
from motionloom.synthesis.bridges import Bridge, Bridged, fit_bridge
from motionloom.synthesis.costs import register_cost
from motionloom.synthesis.driver import Synthesis, SynthesisOptions, fit_generator, synthesize
from motionloom.synthesis.faults import Moved, register_check
from motionloom.synthesis.finish import Finished, FinishOptions
from motionloom.synthesis.generator import Draft, Fitted, Generator, Reason, register_generator
from motionloom.synthesis.report import SynthesisReport
from motionloom.synthesis.streaming import Stream, Streaming, StreamState
from motionloom.synthesis.waiting import WaitingOptions, fill_waits

__all__ = [
    "Bridge",
    "Bridged",
    "Draft",
    "Fault",
    "FinishOptions",
    "Finished",
    "Fitted",
    "Generator",
    "Moved",
    "Reason",
    "Stream",
    "StreamState",
    "Streaming",
    "Synthesis",
    "SynthesisOptions",
    "SynthesisReport",
    "WaitingOptions",
    "fill_waits",
    "fit_bridge",
    "fit_generator",
    "register_check",
    "register_cost",
    "register_generator",
    "synthesize",
]
