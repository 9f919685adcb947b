import unittest

from tollgate_client._http import ConnectionLost, ResponseParser, encode_head

COUNTED = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nX-A: 2\r\n\r\nhello"
CHUNKED = (
    b"HTTP/1.1 100 Continue\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Charged-Micros\r\n\r\n"
    b"3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nX-Charged-Micros: 42\r\n\r\n"
)
UNTRAILED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"


def pieces(data: bytes, size: int):
    return [data[start : start + size] for start in range(0, len(data), size)]


class Parser(unittest.TestCase):
    def test_reads_every_framing_in_pieces_of_every_size(self):
        for data in (COUNTED, CHUNKED, UNTRAILED):
            for size in range(1, len(data) + 1):
                parser = ResponseParser()
                body = b"".join(parser.feed(piece) for piece in pieces(data, size))
                self.assertEqual((body, parser.is_complete, parser.keeps_alive), (b"hello", True, True))

    def test_joins_repeated_headers_and_adds_trailers(self):
        parser = ResponseParser()
        parser.feed(COUNTED)
        self.assertEqual(parser.response.headers["x-a"], "1, 2")
        parser = ResponseParser()
        parser.feed(CHUNKED)
        self.assertEqual(parser.response.headers["x-charged-micros"], "42")

    def test_an_incomplete_response_is_lost_at_every_byte(self):
        for data in (COUNTED, CHUNKED, UNTRAILED):
            for end in range(len(data)):
                parser = ResponseParser()
                parser.feed(data[:end])
                with self.assertRaises(ConnectionLost):
                    parser.feed_end()

    def test_a_body_without_a_length_ends_with_the_connection(self):
        parser = ResponseParser()
        self.assertEqual(parser.feed(b"HTTP/1.0 200 OK\r\n\r\nhello"), b"hello")
        parser.feed_end()
        self.assertEqual((parser.is_complete, parser.keeps_alive), (True, False))

    def test_a_connection_with_surplus_bytes_or_close_is_not_used_again(self):
        for data in (COUNTED + b"!", COUNTED.replace(b"X-A: 1", b"Connection: close")):
            parser = ResponseParser()
            parser.feed(data)
            self.assertFalse(parser.keeps_alive)

    def test_rejects_bytes_that_are_not_http(self):
        endless = b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000
        broken = UNTRAILED.replace(b"5\r\n", b"4\r\n")
        for data in (b"SSH-2.0-OpenSSH\r\n\r\n", endless, broken, UNTRAILED.replace(b"5\r\n", b"z\r\n")):
            with self.assertRaises(ConnectionLost):
                ResponseParser().feed(data)

    def test_a_line_break_in_a_header_is_rejected(self):
        with self.assertRaises(ValueError):
            encode_head("GET", "http://a.example/", {"x": "1\r\ny: 2"}, None)
