import json
import sys

import pymupdf

pymupdf.TOOLS.mupdf_display_errors(False)
pages = []
for page in pymupdf.open(sys.argv[1]):
    lines = []
    for block in page.get_text("dict", flags=pymupdf.TEXTFLAGS_TEXT)["blocks"]:
        for line in block.get("lines", []):
            text = "".join(span["text"] for span in line["spans"])
            lines.append({"Text": text, "Top": line["bbox"][1], "Bottom": line["bbox"][3]})
    pages.append({"Height": page.rect.height, "Lines": lines})
json.dump(pages, sys.stdout)
