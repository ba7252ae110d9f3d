"""Blocks of numbers in text, parsed in one compiled pass."""

from __future__ import annotations

import numpy as np

from motionloom.compiling import full_kernel


@full_kernel()
def parse(
    data, powers, largest, values, starts, lines, offsets, bad
):  # pragma: no cover - compiled
    """Fill the arrays of a `NumberRows`; return how many values and rows there are.

    `data` ends with a line end, where every loop stops. Plain numbers are parsed here, others by
    `_number`.
    """
    token = 0
    row = -1
    line = 0
    i = 0
    fresh = True
    while i < len(data):
        byte = data[i]
        if byte == 10:
            fresh = True
            line += 1
            i += 1
            continue
        if byte == 32 or 9 <= byte <= 13:
            i += 1
            continue
        if fresh:
            fresh = False
            row += 1
            starts[row] = token
            lines[row] = line
            offsets[row] = i
        start = i
        negative = byte == 45
        i += negative
        mantissa = np.int64(0)
        point = -1
        digit = np.int64(data[i]) - 48
        while 0 <= digit <= 9 or (digit == -2 and point < 0):
            if digit == -2:
                point = i
            else:
                mantissa = mantissa * 10 + digit
            i += 1
            digit = np.int64(data[i]) - 48
        decimals = i - point - 1 if point >= 0 else 0
        digits = i - start - negative - (point >= 0)
        if 0 < digits <= 18 and (digit == -16 or digit == -38):  # a blank or the end of the line
            value = float(mantissa) / powers[decimals]
            value = -value if negative else value
        else:
            value, i = _number(data, start, powers)
        if not abs(value) <= largest:
            value = np.nan
            bad[row] = True
        values[token] = value
        token += 1
    starts[row + 1] = token
    return token, row + 1


@full_kernel()
def _number(data, i, powers):  # pragma: no cover - compiled
    """Parse the number that starts at byte `i` (NaN if it is none); also the byte after it."""
    negative = data[i] == 45
    if negative or data[i] == 43:
        i += 1
    mantissa, exponent, digits, i = _mantissa(data, i)
    valid = digits > 0
    if data[i] == 101 or data[i] == 69:
        power, digits, i = _exponent(data, i + 1)
        valid = valid and digits > 0
        exponent += power
    while not (data[i] == 32 or 9 <= data[i] <= 13):
        valid = False
        i += 1
    value = float(mantissa)
    if -22 <= exponent < 0:
        value /= powers[-exponent]
    elif 0 <= exponent <= 22:
        value *= powers[exponent]
    elif value != 0:
        value *= 10.0**exponent
    return (-value if negative else value) if valid else np.nan, i


@full_kernel()
def _mantissa(data, i):  # pragma: no cover - compiled
    """Digits at byte `i` as a whole number, its power of ten, their count, and the next byte."""
    mantissa = np.int64(0)
    exponent = np.int64(0)
    digits = 0
    point = False
    while 48 <= data[i] <= 57 or (data[i] == 46 and not point):
        if data[i] == 46:
            point = True
        else:
            digits += 1
            if mantissa < 10**17:
                mantissa = mantissa * 10 + np.int64(data[i]) - 48
                exponent -= point
            else:
                exponent += not point
        i += 1
    return mantissa, exponent, digits, i


@full_kernel()
def _exponent(data, i):  # pragma: no cover - compiled
    """Signed exponent at byte `i`, capped; how many digits it has, and the byte after them."""
    down = data[i] == 45
    if down or data[i] == 43:
        i += 1
    first = i
    power = np.int64(0)
    while 48 <= data[i] <= 57:
        if power < 1000:
            power = power * 10 + np.int64(data[i]) - 48
        i += 1
    return (-power if down else power), i - first, i


@full_kernel()
def blank_comments(text):  # pragma: no cover - compiled
    """Put blanks for comments."""
    inside = False
    for i in range(len(text)):
        if text[i] == 10:
            inside = False
        elif inside or text[i] == 35:
            inside = True
            text[i] = 32


@full_kernel()
def place(values, starts, table):  # pragma: no cover - compiled
    """Write the numbers of each row into its row of a table, as many as have a column."""
    for row in range(len(starts) - 1):
        for k in range(min(starts[row + 1] - starts[row], table.shape[1])):
            table[row, k] = values[starts[row] + k]
