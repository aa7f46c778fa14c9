# SPDX-License-Identifier: GPL-2.0-or-later
"""Texts of R's files (.rds), of which a fit has thousands."""

from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, uint32_t

# R's numbers of one text: NA, and those that are marked as ASCII and as UTF-8. Memory for a longer text is asked for
# before it is taken.
cdef enum:
    NOT_THERE = 9
    ASCII_TEXT = 9 | 64 << 12
    UTF8_TEXT = 9 | 8 << 12
    LONG_TEXT = 1 << 16


cdef inline uint32_t number(const unsigned char* at, bint big) noexcept:
    if big:
        return (<uint32_t>at[0] << 24) | (<uint32_t>at[1] << 16) | (<uint32_t>at[2] << 8) | at[3]
    return (<uint32_t>at[3] << 24) | (<uint32_t>at[2] << 16) | (<uint32_t>at[1] << 8) | at[0]


def decode_texts(bytes content not None, Py_ssize_t at, Py_ssize_t most, bint big, Py_ssize_t room):
    """Decode texts that stand one behind the other.

    Parameters
    ----------
    content : bytes
    at : int
        Where the first begins.
    most : int
    big : bool
        Whether numbers have their first byte first.
    room : int
        Bytes that the letters may take.

    Returns
    -------
    texts : list of str or None
        None is NA. They end before one with another mark, one that is not what its mark says, one that is cut off, a
        long one, and where there is no more room.
    at : int
        Where these end.
    memory : int
        Bytes that the letters take.
    """
    cdef const unsigned char* data = content
    cdef Py_ssize_t end = len(content)
    cdef uint32_t mark
    cdef int32_t size
    cdef Py_ssize_t left = room
    found = []
    if at < 0:
        raise ValueError(f"at must be at least 0, not {at}")
    while len(found) < most and end - at >= 8 and left >= 0:
        mark, size = number(data + at, big), <int32_t>number(data + at + 4, big)
        if mark == NOT_THERE and size == -1:
            found.append(None)
            at += 8
            continue
        if (mark != ASCII_TEXT and mark != UTF8_TEXT) or not 0 <= size <= LONG_TEXT or size > end - at - 8:
            break
        try:
            text = PyUnicode_DecodeUTF8(<const char*>data + at + 8, size, NULL)
        except UnicodeDecodeError:
            break
        left -= PyUnicode_KIND(text) * PyUnicode_GET_LENGTH(text)
        found.append(text)
        at += 8 + size
    return found, at, room - left
