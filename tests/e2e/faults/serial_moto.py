"""moto, one request at a time. moto checks that an object is absent and writes it in two steps, so that two threads can
both create it; S3 does not allow that. The arguments are those of `moto_server`."""

import io
import threading

from moto import server


def serial(application):
    lock = threading.Lock()

    def serve(environment, start_response):
        # Before the lock: a slow client must not stop the others.
        if length := environment.get("CONTENT_LENGTH"):
            environment["wsgi.input"] = io.BytesIO(environment["wsgi.input"].read(int(length)))
        with lock:
            return list(application(environment, start_response))

    return serve


run = server.run_simple
server.run_simple = lambda host, port, application, **options: run(host, port, serial(application), **options)
server.main()
