/** Reads the references of a markdown document: paths of the repository, and commands. */

export type ReferenceKind = 'link' | 'path' | 'script' | 'target' | 'command';

export interface Reference {
  readonly kind: ReferenceKind;
  /** The path as written, or the name of the script, make target or ringback command. */
  readonly name: string;
  readonly line: number;
}

const COMMANDS: readonly (readonly [ReferenceKind, RegExp])[] = [
  ['script', /(?<![\w-])npm run (?:-s |--silent )?([\w:.-]+)/g],
  ['target', /(?<![\w-])make ([a-z][\w-]*)/g],
  ['command', /(?<![\w./-])ringback ([a-z][\w-]*)/g],
];

const SOURCE_FILE = /\.(tsx?|mjs|c?js|jsonc?|md|ya?ml|css|html|svg)$/;
const PATH = /^\.{0,2}[\w@.*{}<>,-]*(\/[\w@.*{}<>,-]+)+\/?$/;

/** Returns the commands in a piece of code. */
const commandsIn = (code: string, line: number): Reference[] =>
  COMMANDS.flatMap(([kind, pattern]) => [...code.matchAll(pattern)].map(([, name = '']) => ({ kind, name, line })));

/**
 * Returns whether code in backticks names a path of the repository: it starts in a top folder (`isTop`), or ends like a
 * source
 * file. `text/plain`, `a/b` and `/v1/users` are no paths.
 */
function isPath(code: string, isTop: (name: string) => boolean): boolean {
  if (code.startsWith('/') || code.startsWith('@')) return false;
  if (!code.includes('/')) return SOURCE_FILE.test(code) && /^[\w.-]+$/.test(code);
  if (!PATH.test(code)) return false;
  return isTop(code.split('/')[0] ?? '') || SOURCE_FILE.test(code);
}

function referencesInLine(text: string, line: number, isTop: (name: string) => boolean): Reference[] {
  const found: Reference[] = [];
  for (const [, code = ''] of text.matchAll(/`([^`]+)`/g)) {
    if (isPath(code, isTop)) found.push({ kind: 'path', name: code, line });
    else found.push(...commandsIn(code, line));
  }
  const prose = text.replaceAll(/`[^`]+`/g, (code) => ' '.repeat(code.length));
  for (const [, target = ''] of prose.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)) {
    const isElsewhere = /^([a-z][a-z+.-]*:|#)/i.test(target);
    if (!isElsewhere) found.push({ kind: 'link', name: target.replace(/#.*$/, ''), line });
  }
  return found;
}

/** The languages of fenced blocks with commands: a shell, or none. */
const SHELLS = new Set(['', 'sh', 'bash', 'shell', 'console']);

/** Returns every reference of a document. In a fenced block only shell commands are read. */
export function readReferences(markdown: string, isTop: (name: string) => boolean): Reference[] {
  let fence: { readonly mark: string; readonly isShell: boolean } | undefined;
  return markdown.split('\n').flatMap((text, index) => {
    const [, mark, language = ''] = /^\s*(`{3,}|~{3,})\s*(\w*)/.exec(text) ?? [];
    if (mark && (fence === undefined || text.trim() === fence.mark)) {
      fence = fence === undefined ? { mark, isShell: SHELLS.has(language) } : undefined;
      return [];
    }
    if (fence === undefined) return referencesInLine(text, index + 1, isTop);
    return fence.isShell ? commandsIn(text, index + 1) : [];
  });
}
