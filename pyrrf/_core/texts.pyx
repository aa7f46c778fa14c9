# SPDX-License-Identifier: GPL-2.0-or-later
"""Fast decoding of texts in R's files (.rds)."""

from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_GET_LENGTH, PyUnicode_KIND
from libc.stdint cimport int32_t, uint32_t

# R's numbers of one text: NA, marked as ASCII, marked as UTF-8. A longer text is left to the caller, which charges its
# memory first.
cdef enum:
    NA_TEXT = 9
    ASCII_TEXT = 9 | 64 << 12
    UTF8_TEXT = 9 | 8 << 12
    LONG_TEXT = 1 << 16


cdef inline uint32_t number(const unsigned char* at, bint big) noexcept:
    if big:
        return (<uint32_t>at[0] << 24) | (<uint32_t>at[1] << 16) | (<uint32_t>at[2] << 8) | at[3]
    return (<uint32_t>at[3] << 24) | (<uint32_t>at[2] << 16) | (<uint32_t>at[1] << 8) | at[0]


def decode_texts(bytes content not None, Py_ssize_t position, Py_ssize_t most, bint big, Py_ssize_t room):
    """Decode a sequence of texts.

    Parameters
    ----------
    content : bytes
    position : int
        Offset of the first text.
    most : int
    big : bool
        Whether numbers are big-endian.
    room : int
        Limit of memory for the letters, in bytes.

    Returns
    -------
    texts : list of str or None
        None is NA. Decoding stops before a text that has another mark, does not match its mark, is truncated or is
        long, and at the limit of memory.
    position : int
        Offset behind the last text.
    memory : int
        Memory of the letters, in bytes.
    """
    cdef const unsigned char* data = content
    cdef Py_ssize_t end = len(content)
    cdef uint32_t mark
    cdef int32_t size
    cdef Py_ssize_t left = room
    texts = []
    if position < 0:
        raise ValueError(f"position must be at least 0, not {position}")
    while len(texts) < most and end - position >= 8 and left >= 0:
        mark, size = number(data + position, big), <int32_t>number(data + position + 4, big)
        if mark == NA_TEXT and size == -1:
            texts.append(None)
            position += 8
            continue
        if (mark != ASCII_TEXT and mark != UTF8_TEXT) or not 0 <= size <= LONG_TEXT or size > end - position - 8:
            break
        try:
            text = PyUnicode_DecodeUTF8(<const char*>data + position + 8, size, NULL)
        except UnicodeDecodeError:
            break
        left -= PyUnicode_KIND(text) * PyUnicode_GET_LENGTH(text)
        texts.append(text)
        position += 8 + size
    return texts, position, room - left
