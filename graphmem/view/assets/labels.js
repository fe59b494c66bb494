// What is written at the nodes and links of the picture.

const LABEL_CHARACTERS = 34;

/**
 * What is written at each node: its name, or its beginning. Names that begin alike, as paths and
 * symbols of code do, keep both ends, since they differ there.
 */
function labelsOf(nodes) {
  const counts = new Map();
  for (const { name } of nodes) {
    counts.set(shortened(name), (counts.get(shortened(name)) ?? 0) + 1);
  }
  return new Map(nodes.map(({ key, name }) => {
    const alike = counts.get(shortened(name)) > 1;
    return [key, shortened(name, alike ? Math.floor(LABEL_CHARACTERS / 3) : LABEL_CHARACTERS - 1)];
  }));
}

/** Words of at most `LABEL_CHARACTERS`, of which `start` lie before what is left out. */
function shortened(words, start = LABEL_CHARACTERS - 1) {
  const characters = [...words];
  if (characters.length <= LABEL_CHARACTERS) return words;
  const end = LABEL_CHARACTERS - 1 - start;
  const rest = characters.slice(characters.length - end).join("");
  return `${characters.slice(0, start).join("").trimEnd()}…${rest.trimStart()}`;
}
