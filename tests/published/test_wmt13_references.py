"""WMT13 §5: what sentences and references do to the correlation of BLEU with people."""

import tarfile

import pytest

import adjudge as door

# Table 22, from the first to the last of the systems that people ranked.
ORDER = (
    "cu-bojar_2013.2757",
    "cu-depfix.2792",
    "online-B",
    "uedin-wmt13.2836",
    "cu-zeman.2722",
    "MES:.2800",
    "online-A",
    "cu-phrasefix.2745",
    "CU_TectoMT.2637",
    "commercial-1",
    "commercial-2",
    "Shef-wproa.2678",
)


def _lines(archive, names):
    with tarfile.open(archive) as packed:
        files = {member.name: packed.extractfile(member) for member in packed if member.isfile()}
        return [files[name].read().decode().rstrip("\n").split("\n") for name in names]


@pytest.mark.shared_data
def test_correlations_of_half_the_test_set(published, shared_data, tmp_path):
    """BLEU of 1,500 sentences with one reference: the middle 95 % of 300 probes. The paper's people
    are the order of its Table 22.
    """
    folder = shared_data / "newstest2013"
    if not (folder / "en-cs.tar.xz").exists():
        pytest.skip("no outputs of newstest2013")
    (reference,) = _lines(folder / "references.tar.xz", ["references/newstest2013-ref.cs"])
    names = [f"en-cs/newstest2013.en-cs.{name}" for name in ORDER]
    outputs = dict(zip(ORDER, _lines(folder / "en-cs.tar.xz", names), strict=True))
    votes = tmp_path / "votes.csv"
    pairs = [(a, b) for i, a in enumerate(ORDER) for b in ORDER[i + 1 :]]
    rows = [f"{better},{worse},model_a" for better, worse in pairs for _ in range(2)]
    votes.write_text("model_a,model_b,winner\n" + "\n".join(rows) + "\n")
    texts = door.from_texts(outputs, [reference])
    study = texts.references(str(votes), sentences=[100, 1500], probes=300)
    bleu = {part.sentences: part for part in study if part.metric.name == "bleu"}
    nist = {part.sentences: part for part in study if part.metric.name == "nist"}
    assert 0.86 <= bleu[1500].low < bleu[1500].high <= 0.94  # the middle 95 % of probes
    for part in (bleu, nist):
        assert part[100].correlation < part[1500].correlation
        assert part[100].deviation > 2 * part[1500].deviation
    table = published("WMT13", "§5", "newstest2013")
    table.words(
        "BLEU with people", "0.86 to 0.94", f"{bleu[1500].low:.3f} to {bleu[1500].high:.3f}"
    )
