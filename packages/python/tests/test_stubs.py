"""The types of catalog.pyi, which tools/reference.ts writes."""
import ast
import pathlib
import unittest

import tollgate_client
from tollgate_client import AsyncTollgate, Tollgate, catalog

PACKAGE = pathlib.Path(tollgate_client.__file__).parent
CLASSES = {
    node.name: node
    for node in ast.parse((PACKAGE / "catalog.pyi").read_text("utf-8"), feature_version=(3, 9)).body
    if isinstance(node, ast.ClassDef)
}


def fields(name):
    return {
        node.target.id: ast.unparse(node.annotation)
        for node in CLASSES[name].body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }


def methods(name):
    return {node.name: node for node in CLASSES[name].body if isinstance(node, ast.FunctionDef)}


class Stubs(unittest.TestCase):
    def test_every_file_parses_as_python_3_9(self):
        for path in [*PACKAGE.glob("*.py"), *PACKAGE.glob("*.pyi")]:
            ast.parse(path.read_text("utf-8"), str(path), feature_version=(3, 9))

    def test_both_clients_have_the_same_services_and_actions(self):
        services = fields("Catalog")
        self.assertGreater(len(services), 50)
        self.assertEqual({name: f"Async{kind}" for name, kind in services.items()}, fields("AsyncCatalog"))
        for kind in services.values():
            self.assertEqual(set(methods(kind)), set(methods(f"Async{kind}")))
            self.assertNotEqual(methods(kind), {})

    def test_no_member_of_a_client_hides_a_service_except_files_which_extends_it(self):
        for client in (Tollgate, AsyncTollgate):
            self.assertEqual(set(dir(client)) & set(fields("Catalog")), {"files"})

    def test_an_action_has_the_types_of_its_input_and_its_answer(self):
        one = methods("CoreService")["onescrape"]
        self.assertEqual(ast.unparse(one.args.kwarg.annotation), "Unpack[CoreOnescrapeParams]")
        self.assertEqual(ast.unparse(one.returns), "Result[CoreOnescrape]")
        self.assertEqual(fields("CoreOnescrapeParams")["urls"], "List[str]")
        self.assertEqual(fields("CoreOnescrapeParams")["format"], "NotRequired[Literal['markdown', 'html', 'text']]")
        self.assertEqual(fields("CoreOnescrape")["rows"], "List[CoreOnescrapeRow]")
        self.assertEqual(ast.unparse(methods("CoreService")["onescrape_deep"].returns), "StartedJob[CoreOnescrapeDeep]")
        self.assertIn("from_", fields("SecfilingsFulltextParams"))

    def test_every_name_in_a_type_exists(self):
        tree = ast.parse((PACKAGE / "catalog.pyi").read_text("utf-8"))
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        known = set(CLASSES)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                known |= {alias.name for alias in node.names}
            if isinstance(node, ast.Assign):
                known |= {target.id for target in node.targets}
        self.assertEqual(used - known - {"str", "int", "float", "bool"}, set())

    def test_the_types_are_dictionaries_at_run_time(self):
        self.assertIs(catalog.CoreOnescrape, dict)
        with self.assertRaises(AttributeError):
            catalog.core
