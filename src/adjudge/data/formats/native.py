"""Adjudge's own formats, which carry everything: JSONL and Parquet of each kind of table.

The columns are those of the tables (`judgement_table`, `score_table`, `edit_table`), stored as
`native_tables` says.
"""

from adjudge.core.files.parquet import parquet_columns
from adjudge.data.formats import Format
from adjudge.data.kinds import KindName
from adjudge.data.native_tables import NATIVE, native_kind

_EXAMPLES: dict[KindName, bytes] = {
    "judgements": """\
{"pair":"en-cs","protocol":"ranking","document":"d","segment":"1","ranking":1,"hit":"h","judge":"j",\
"group":"g","systems":["A","Překladač"],"rank":1,"position":1,"seconds":2.5,\
"time":"2026-01-02T03:04:05Z","design":"2","label":null,\
"source":"A cat.","reference":"Kočka.","text":"Kočka."}
{"pair":"en-cs","protocol":"ranking","document":"d","segment":"1","ranking":1,"hit":"h","judge":"j",\
"group":"g","systems":[],"rank":2,"position":2,"seconds":2.5,\
"time":"2026-01-02T03:04:05Z","design":"2","label":"garbage",\
"comment":"An odd cat.","source":"A cat.","reference":"Kočka.","text":"?"}
{"pair":"en-cs","ranking":2,"judge":"j","comment":"cannot decide"}
{"pair":"en-cs","ranking":3,"systems":["A"],"rank":null}
{"pair":"en-cs","ranking":3,"systems":["B"],"rank":1}
""".encode(),
    "scores": """\
{"pair":"en-cs","protocol":"error-spans","document":"d","segment":"1","item":1,"hit":"h","judge":"j",\
"group":"g","systems":["A","Překladač"],"scale":"error-spans","score":61.5,"position":1,\
"seconds":2.5,"time":"2026-01-02T03:04:05Z","design":"2","spans":[{"start":0,"end":3,"severity":"major",\
"category":null},{"start":null,"end":null,"severity":"minor","category":"omission"}],\
"source":"A cat.","reference":"Kočka.","text":"Kočka."}
{"pair":"en-cs","segment":"1","item":2,"judge":"j","systems":["B"],"scale":"adequacy","score":4}
{"pair":"en-cs","segment":"1","item":2,"judge":"j","systems":["B"],"scale":"fluency","score":null}
{"pair":"en-cs","item":3,"judge":"j","comment":"text damaged"}
""".encode(),
    "edits": """\
{"pair":"en-cs","protocol":"blind-edit","document":"d","segment":"1","item":1,"hit":"h","judge":"j",\
"group":"g","systems":["A","Překladač"],"position":1,"edit":"Kočka spí.","incomprehensible":false,\
"seconds":2.5,"time":"2026-01-02T03:04:05Z","design":"2",\
"source":"A cat.","reference":"Kočka.","text":"Kočka."}
{"pair":"en-cs","protocol":"review","document":"d","segment":"1","item":2,"judge":"k",\
"systems":["A","Překladač"],"verdict":"no","reviewed":1,"edit":"Kočka."}
{"pair":"en-cs","protocol":"blind-edit","segment":"2","item":3,"systems":["B"],\
"incomprehensible":true}
{"pair":"en-cs","protocol":"blind-edit","segment":"3","item":4,"comment":"cannot decide"}
""".encode(),
}


def _jsonl(kind: KindName) -> Format:
    native = NATIVE[kind]
    return Format(
        name="jsonl" if kind == "judgements" else f"{kind}-jsonl",
        description=f"Adjudge JSONL of {kind}",
        kind=kind,
        suffix=".jsonl",
        recognise=lambda file: native_kind(file.json_keys) == kind,
        read=native.read_jsonl,
        batches=native.jsonl_batches,
        example={"table.jsonl": _EXAMPLES[kind]},
        write=native.write_jsonl,
        carries=frozenset(native.kind.schema),
        skipped=True,
    )


def _parquet(kind: KindName) -> Format:
    native = NATIVE[kind]
    return Format(
        name="parquet" if kind == "judgements" else f"{kind}-parquet",
        description=f"Adjudge Parquet of {kind}",
        kind=kind,
        suffix=".parquet",
        recognise=lambda file: native_kind(parquet_columns(file)) == kind,
        read=native.read_parquet,
        batches=native.parquet_batches,
        example={"table.parquet": lambda: native.parquet_of(_EXAMPLES[kind])},
        write=native.write_parquet,
        carries=frozenset(native.kind.schema),
        skipped=True,
    )


FORMAT = tuple(make(kind) for kind in NATIVE for make in (_jsonl, _parquet))
