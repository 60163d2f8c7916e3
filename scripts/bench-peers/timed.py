"""Times one call as `make bench` wants it: once, and once more when that is quick, so that the first touch of memory
does not count."""
import time


def timed(call):
    for _ in range(2):
        begin, worked = time.perf_counter(), time.process_time()
        result = call()
        seconds, cpu = time.perf_counter() - begin, time.process_time() - worked
        if seconds > 1:
            break
    print(f"seconds {seconds:.6f}\ncpu {cpu:.6f}")
    return result
