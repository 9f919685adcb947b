"""Runs pieces of code that share their variables. Requests are lines of JSON on standard input."""
import ast
import json
import linecache
import os
import sys
import traceback

requests = os.fdopen(os.dup(0), "rb")
os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
names = {"__name__": "__main__", "__builtins__": __builtins__}


def run(code, name):
    tree = ast.parse(code, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if last is not None:
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)
        if value is not None:
            print(repr(value))


def main():
    for count, line in enumerate(requests, 1):
        request = json.loads(line)
        code, status, name = request["code"], 0, f"<code {count}>"
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        try:
            run(code, name)
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else int(error.code is not None)
            if isinstance(error.code, str):
                print(error.code, file=sys.stderr)
        except BaseException as error:
            status = 130 if isinstance(error, KeyboardInterrupt) else 1
            own = error.__traceback__
            while own is not None and own.tb_frame.f_code.co_filename == __file__:
                own = own.tb_next
            traceback.print_exception(type(error), error, own)
        for number, stream in ((1, sys.stdout), (2, sys.stderr)):
            try:
                stream.flush()
            except Exception:
                pass
            os.write(number, f"{request['mark']}{status & 255}\n".encode())


while True:
    try:
        main()
        break
    except KeyboardInterrupt:
        # The interrupt arrived after the code had ended.
        continue
