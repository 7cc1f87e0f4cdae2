/** Reads specs/requirements.yaml: every checkable statement, by area. */

export interface Requirement {
  readonly id: string;
  readonly area: string;
  readonly statement: string;
}

/**
 * Reads the file line by line: a statement is plain text that may contain ': ' or quotes, which a YAML reader would
 * split.
 * @throws Error at a line that is neither an area, a requirement nor a comment, and at a repeated id.
 */
export function readRequirements(text: string): Requirement[] {
  const requirements = new Map<string, Requirement>();
  let area: string | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, named] = /^([a-z][a-z_]*):\s*(?:#.*)?$/.exec(line) ?? [];
    const [, id, statement] = /^ {2}([A-Z]+-\d+): (.*)$/.exec(line) ?? [];
    if (named) {
      area = named;
    } else if (area && id && statement) {
      if (requirements.has(id)) throw new Error(`requirements line ${index + 1}: ${id} is given twice`);
      requirements.set(id, { id, area, statement: statement.trim() });
    } else if (line.trim() !== '' && !line.trimStart().startsWith('#')) {
      throw new Error(`requirements line ${index + 1} is not understood: ${line}`);
    }
  }
  return [...requirements.values()];
}
