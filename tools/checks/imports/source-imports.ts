/** Reads the imports of one source file, with types, re-exports and dynamic imports. */
import { parseSync, Visitor } from 'oxc-parser';

export interface SourceImport {
  /** The text between the quotes. Undefined for a computed path. */
  readonly specifier: string | undefined;
  readonly line: number;
}

export interface SourceImports {
  readonly imports: readonly SourceImport[];
  /** The parse error. Undefined without one. */
  readonly error?: string;
}

interface Located {
  readonly start: number;
}

export function readImports(file: string, source: string): SourceImports {
  const { program, errors } = parseSync(file, source);
  const [error] = errors;
  if (error) return { imports: [], error: error.message };

  const imports: SourceImport[] = [];
  const add = (from: Located | null) => {
    if (!from) return;
    const specifier = 'value' in from && typeof from.value === 'string' ? from.value : undefined;
    imports.push({ specifier, line: source.slice(0, from.start).split('\n').length });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    TSExternalModuleReference: (node) => add(node.expression),
  }).visit(program);
  return { imports };
}
