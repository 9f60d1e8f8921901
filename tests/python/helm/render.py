"""Renders a chart with Helm and validates the result.

Usage: render.py CHART VALUES.json

Prints JSON: `files` has the rendered text of each template, `problems` what Helm and the schemas of
Kubernetes find.
"""

import json
import os
import sys

import helm_python
import kubernetes_validate
import yaml

VERSION = "1.37"


def main():
    chart_dir, values = sys.argv[1], json.loads(sys.argv[2])
    files, problems = {}, []
    with helm_python.Chart.load(chart_dir) as chart:
        try:
            chart.validate_schema(values)
            rendered = chart.render(values, name="docs", namespace="web")
        except helm_python.HelmError as error:
            return {"files": {}, "problems": [str(error)]}
    for path, text in sorted(rendered.items()):
        if not text.strip():
            continue
        name = os.path.basename(path)
        files[name] = text.strip() + "\n"
        if not name.endswith(".yaml"):
            continue
        for document in yaml.safe_load_all(text):
            try:
                kubernetes_validate.validate(document, VERSION, strict=True)
            except kubernetes_validate.ValidationError as error:
                problems.append(f"{name}: {error.message}")
    # Severity 1 is information, such as a missing icon.
    for message in helm_python.lint(chart_dir)["messages"]:
        if message["severity"] > 1:
            problems.append(f"lint: {message['path']}: {message['error']}")
    return {"files": files, "problems": problems}


json.dump(main(), sys.stdout)
