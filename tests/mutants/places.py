# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a C file can be changed, and into what: one token of one line, never comments, strings, preprocessor lines, declarations, sizes of
memory, or what a call says to the user. The layout of clang-format is relied on: a binary operator has spaces on both sides."""
import bisect
import collections
import random
import re

TOKEN = re.compile(r"""
      (?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|\s+)
    | (?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    | (?P<real>(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)
    | (?P<integer>0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<operator>->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^=!<>]=|&&|\|\||\.\.\.|.)
    """, re.VERBOSE | re.DOTALL | re.MULTILINE)
Token = collections.namedtuple("Token", "kind text at")
Mutant = collections.namedtuple("Mutant", "path function line column kind old new before after")

SWAPPED = {"+": ("sum", "-"), "-": ("sum", "+"), "*": ("product", "/"), "/": ("product", "*"), "+=": ("sum", "-="), "-=": ("sum", "+="),
           "*=": ("product", "/="), "/=": ("product", "*="), "<": ("comparison", "<="), "<=": ("comparison", "<"),
           ">": ("comparison", ">="), ">=": ("comparison", ">"), "==": ("comparison", "!="), "!=": ("comparison", "=="),
           "&&": ("logic", "||"), "||": ("logic", "&&")}
KINDS = ("sign", "sum", "product", "constant", "index", "comparison", "logic")
SILENT = re.compile(r"ms_fail\w*|ms_error\w*|v?sn?printf|malloc|calloc|realloc|ms_(?:\w+_)?alloc\w*|sizeof|assert|_Static_assert|static_assert")
KEYWORDS = {"return", "else", "case", "goto", "break", "continue", "do", "default", "sizeof", "if", "for", "while", "switch"}


def tokens(text):
    return [Token(m.lastgroup, m.group(), m.start()) for m in TOKEN.finditer(text) if m.lastgroup != "skip"]


class File:
    """A source with its tokens, and of each what it stands in."""

    def __init__(self, path, text):
        self.path, self.text, self.token = path, text, tokens(text)
        self.lines = text.split("\n")
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line) + 1)
        self.reals = set(re.findall(r"\bdouble (?:\*(?:const )?)*(\w+)", text))
        for more in re.findall(r"\bdouble ([^;(){}]*);", text):
            self.reals.update(re.findall(r"(?:^|, )\**(\w+)", more))

    def inside(self):
        """Of each token: whether it may be changed, and whether it is within [ ]."""
        places, opened, function, depth, statement, silent = [], [], False, 0, [], 0
        for k, token in enumerate(self.token):
            t = token.text
            if t in "([{":
                before = self.token[k - 1].text if k else ""
                mute = t == "(" and SILENT.fullmatch(before) is not None
                silent += mute
                opened.append((t, mute))
                if t == "{":
                    function = function or depth == 0 and before == ")"
                    depth += 1
            elif t in ")]}":
                silent -= opened.pop()[1]
                if t == "}":
                    depth -= 1
                    function = function and depth > 0
            table = not function and depth > 0 and "=" in statement
            declares = function and declaration(statement) or "enum" in statement or "static" in statement or "case" in statement
            places.append(((function or table) and not declares and not silent, bool(opened) and opened[-1][0] == "["))
            head = [word for word, _ in opened]
            if t == ";" or (t in "{}" and (function or depth == 0)) or (t == ":" and "case" in statement):
                statement = []
            elif t == "(" and k and self.token[k - 1].text == "for" or t == "," and "=" in statement and "(" not in head and "{" not in head[1:]:
                statement = statement[:1] if t == "," else []
            else:
                statement.append(t)
        return places

    def mutant(self, token, kind, new, length=None):
        line = bisect.bisect_right(self.starts, token.at) - 1
        column = token.at - self.starts[line]
        length = len(token.text) if length is None else length
        before = self.lines[line]
        return Mutant(self.path, self.function(line), line + 1, column + 1, kind, before[column:column + length], new, before.strip(),
                      (before[:column] + new + before[column + length:]).strip())

    def function(self, line):
        """The name of the function that a line stands in; - outside of all."""
        while line > 0 and self.lines[line] != "}":
            begins = re.match(r"\w[\w *]*?(\w+)\(", self.lines[line])
            if begins:
                return begins.group(1)
            line -= 1
        return "-"

    def mutants(self):
        """All, in the order of their places."""
        found = []
        for k, (may, index) in enumerate(self.inside()):
            if may:
                found += self.at(k, index)
        return found

    def at(self, k, index):
        token, text = self.token[k], self.text
        last, following = self.token[k - 1] if k else token, self.token[k + 1] if k + 1 < len(self.token) else token
        spaced = text[token.at - 1] in " \n" and text[token.at + len(token.text)] in " \n"
        if token.kind == "operator" and token.text in SWAPPED and spaced:
            kind, new = SWAPPED[token.text]
            return [self.mutant(token, kind, new)]
        if token.text == "-" and last.text in ("(", ",", "=", "return", "?", ":", "*", "/", "+", "<", ">", "[", "{") and following.at == token.at + 1:
            return [self.mutant(token, "sign", "")]
        if token.kind == "integer" and last.text not in (".", "->"):
            return self.integers(token, "index" if index else "constant")
        if token.kind == "real":
            return [self.mutant(token, "constant", new) for new in reals(token.text)]
        if self.is_term(k) and following.text not in ("-", ";", "{", "0.0") and text[following.at - 1] == " ":
            return [self.mutant(following, "sign", "-" + following.text)]
        return []

    def integers(self, token, kind):
        digits = token.text.rstrip("uUlL")
        value, suffix = int(digits, 8 if re.fullmatch("0[0-7]+", digits) else 0), token.text[len(digits):]
        return [self.mutant(token, kind, f"{v}{suffix}") for v in (value + 1, value - 1) if v >= 0]

    def is_term(self, k):
        """`=` or `return` before a real number: the variable is declared double here, or the line has a real number's literal."""
        token = self.token[k]
        if token.text == "return":
            head = self.text.rfind("\n}", 0, token.at)
            return re.search(r"\n(?:static )?(?:inline )?double \w+\(", self.text[max(head, 0):token.at]) is not None
        if token.text != "=":
            return False
        j, brackets = k - 1, 0
        while j > 0 and (brackets or self.token[j].text == "]"):
            brackets += {"]": 1, "[": -1}.get(self.token[j].text, 0)
            j -= 1
        name, two = self.token[j].text, self.token[j - 1].text
        pointer = self.token[k - 1].text != "]" and two == "*" and self.text[self.token[j].at - 1] == "*" and \
            self.token[j - 2].text in ("double", "const")
        array = self.token[k - 1].text == "]" and two == "double"
        following = self.token[k + 1].text
        return name in self.reals and two not in (".", "->", "int", "size_t", "bool") and not pointer and not array and \
            self.token[j - 2].text != "int" and not re.match(r"NULL|malloc|calloc|[&{]", following) and not self.is_pointer(name, j, k)

    def is_pointer(self, name, j, k):
        """A whole array is assigned: the name is that of a pointer, with neither [ ] behind nor * before."""
        return self.token[k - 1].text != "]" and self.token[j - 1].text != "*" and \
            re.search(r"\*(?:const )?(?:restrict )?" + name + r"\b", self.text) is not None and \
            re.search(r"\bdouble " + name + r"\b", self.text) is None


def declaration(statement):
    """Whether the tokens of a statement, so far, declare and do not yet initialise."""
    return len(statement) > 1 and "=" not in statement and re.fullmatch(r"[A-Za-z_]\w*", statement[0]) is not None and \
        statement[0] not in KEYWORDS and (re.fullmatch(r"[A-Za-z_]\w*|\*", statement[1]) is not None)


def reals(text):
    """Another number, or two: twice and half of it, or a thousand times more and less where it is a tolerance; for 0 it is 1."""
    value = float(text)
    if value == 0.0:
        return ["1.0"]
    if "e" in text.lower():
        return [f"{value * 1e3:.1e}", f"{value * 1e-3:.1e}"]
    return [f"{2.0 * value!r}", f"{0.5 * value!r}"]


def draw(files, count, seed):
    """So many of all that there are: from the files in turn, first with one kind of change and then with any. What is drawn from a file is
    a matter of the seed and of that file alone."""
    piles = []
    for file in files:
        chance, kinds = random.Random(f"{seed}:{file.path}"), collections.defaultdict(list)
        for mutant in file.mutants():
            kinds[mutant.kind].append(mutant)
        pile = []
        while kinds:
            kind = chance.choice(sorted(kinds))
            pile.append(kinds[kind].pop(chance.randrange(len(kinds[kind]))))
            if not kinds[kind]:
                del kinds[kind]
        piles.append((chance.random(), file.path, pile))
    drawn, depth = [], 0
    piles.sort(key=lambda pile: pile[:2])
    while len(drawn) < count and any(depth < len(pile) for _, _, pile in piles):
        drawn += [pile[depth] for _, _, pile in piles if depth < len(pile)]
        depth += 1
    return drawn[:count]
