import { describe, expect, it } from 'vitest';
import { checkApi } from '../../../tools/checks/check-api.ts';
import { declarationFile, moduleDeclarationFile } from '../../../tools/package/declaration-file.ts';
import { gatherPublicDeclarations, REACT } from '../../../tools/package/public-declarations.ts';
import { apiDocument, reactDocument } from '../../../tools/reference/api.ts';
import { forgeTree } from '../checks/forged-tree.ts';

const DIALLING = `import type { Call } from '../call.ts';
/** The functions about calls. */
export interface Dialling {
    /**
     * Starts a call. Returns it at once.
     *
     * It waits then.
     *
     * @throws CallNotSupported in an old browser.
     * @throws CallError BUSY_LINE (1800999)
     *   when the line is busy.
     */
    dial: (to: string) => Call;
}
`;
const CLIENT = `import type { Dialling } from './dialling.ts';
/** A client. */
export interface Client extends Dialling {
    /**
     * Says which application this is.
     *
     * @throws CallError
     */
    init: (id: string) => void;
}
`;
const CALL = `import type { Role } from '../protocol/role.ts';
/** One call. */
export declare class Call {
    #private;
    /** Which side this is. See {@link end}. */
    get role(): Role;
    /** Ends it. */
    end(): void;
}
/** What nobody asks for. */
export interface Unasked {
    secret: string;
}
`;
const INDEX = `import { Client } from './client/client.ts';
/** See {@link Client.init}. */
export declare function init(id: string): void;
export declare const dial: (to: string) => import("./call.ts").Call;
export { Call } from './call.ts';
export { Sound } from './sounds.ts';
export type { Role } from '../protocol/role.ts';
`;
const LIBRARY = {
  'src/calls/index.d.ts': INDEX,
  'src/calls/client/client.d.ts': CLIENT,
  'src/calls/client/dialling.d.ts': DIALLING,
  'src/calls/call.d.ts': CALL,
  'src/calls/sounds.d.ts': `/** The sounds. */
export declare const Sound: Readonly<{
    RINGING: "ringing";
}>;
export type Sound = keyof typeof Sound;
declare global {
    var RINGBACK: Sound | undefined;
}
export {};
`,
  'src/protocol/role.d.ts': '/** A side. */\nexport type Role = `caller` | `callee`;\n',
};
const gather = (files: Record<string, string> = {}) => gatherPublicDeclarations(forgeTree({ ...LIBRARY, ...files }));

describe('the types of the package', () => {
  const text = () => declarationFile(gather());

  it('are in one file, which imports nothing, with the documentation of each function of the client', () => {
    expect(text()).not.toMatch(/\bimport\b/);
    expect(text()).toContain(
      '/**\n * Starts a call. Returns it at once.\n *\n * It waits then.\n *\n * @throws CallNotSupported in an old browser.\n' +
        ' * @throws CallError BUSY_LINE (1800999)\n *   when the line is busy.\n */\ndeclare const dial: (to: string) => Call;',
    );
    expect(text()).toContain(
      '/**\n * Says which application this is.\n *\n * @throws CallError\n */\ndeclare function init(id: string): void;',
    );
  });

  it('have the types that public names need, and nothing else', () => {
    expect(text()).toContain('type Role = `caller` | `callee`;');
    expect(text()).not.toMatch(/Unasked|Client\b/);
  });

  it('export each name separately and on the default object, types as types', () => {
    expect(text()).toContain(
      'export {\n  init,\n  dial,\n  Call,\n  Sound,\n};\nexport type {\n  Role,\n};\nexport default SendBirdCall;',
    );
    expect(text()).toMatch(/declare namespace SendBirdCall \{\n {2}export \{\n {4}init,\n/);
    expect(text()).toContain('  export type {\n    Role,\n  };\n}\n');
  });

  it('keep the global declarations', () => {
    expect(text()).toContain('declare global {\n    var RINGBACK: Sound | undefined;\n}');
  });

  it.each([
    [
      'another package',
      { 'src/protocol/role.d.ts': "import * as v from 'valibot';\nexport type Role = v.Output;\n" },
      /'valibot', which is not ours/,
    ],
    [
      'two of one name',
      { 'src/calls/sounds.d.ts': 'export declare const Sound: Role;\nexport interface Role { a: 1 }\n' },
      /^Role is declared in/,
    ],
    [
      'another name outside',
      { 'src/calls/index.d.ts': "export { Call as Talk } from './call.ts';\n" },
      /exports Call as Talk/,
    ],
    [
      'a name that is gone',
      { 'src/calls/index.d.ts': "export { Talk } from './call.ts';\n" },
      /exports Talk, which is declared nowhere/,
    ],
    [
      'what stands behind the library',
      {
        'src/calls/call.d.ts':
          "import type { Port } from './platform/port.ts';\nexport declare class Call { of: Port }\n",
        'src/calls/platform/port.d.ts': 'export interface Port {}\n',
      },
      /^Port of src\/calls\/platform\/port.d.ts is not for hosts/,
    ],
    ['everything of a module', { 'src/calls/index.d.ts': "export * from './call.ts';\n" }, /name each export/],
  ])('refuse %s', (_what, files, fault) => {
    expect(() => gather(files)).toThrow(fault);
  });
});

const BINDING = {
  'src/react/index.d.ts': "export { type BoxProps, Box } from './box.tsx';\n",
  'src/react/box.d.ts': `import { type ReactNode } from 'react';
/** The props of a box. */
export interface BoxProps {
    /** The content. */
    readonly children: ReactNode;
}
/** A box. */
export declare const Box: import("react").ForwardRefExoticComponent<BoxProps & import("react").RefAttributes<HTMLElement>>;
`,
};
const gatherReact = () => gatherPublicDeclarations(forgeTree(BINDING), REACT);

describe('the types of the React binding', () => {
  it('are in one file, which imports the types of React only', () => {
    const text = moduleDeclarationFile(gatherReact());
    expect(text).toContain("import type { ForwardRefExoticComponent, ReactNode, RefAttributes } from 'react';\n");
    expect(text).toContain('declare const Box: ForwardRefExoticComponent<BoxProps & RefAttributes<HTMLElement>>;');
    expect(text).toContain('export {\n  Box,\n};\nexport type {\n  BoxProps,\n};\n');
  });

  it('are refused when they need another package', () => {
    expect(() => gatherPublicDeclarations(forgeTree(BINDING), { ...REACT, packages: [] })).toThrow(
      /'react', which is not ours/,
    );
  });

  it('have a report of their own', () => {
    expect(reactDocument(gatherReact())).toContain('| `readonly children: ReactNode` | The content. |');
  });
});

describe('the API report', () => {
  const report = () => apiDocument(gather());

  it('has each public name with its signature, the first paragraph about it and its errors', () => {
    expect(report()).toContain('| Function | Description | Errors |');
    expect(report()).toContain(
      '| `dial(to: string): Call` | Starts a call. Returns it at once. | CallNotSupported, BUSY_LINE (1800999) |',
    );
    expect(report()).toContain('| `init(id: string): void` | Says which application this is. |  |');
    expect(report()).toContain('### Call\n\nOne call.\n');
    expect(report()).toContain(
      '| Member | Description |\n| --- | --- |\n| `get role(): Role` | Which side this is. See `end`. |',
    );
    expect(report()).toContain("| `type Role = 'caller' \\| 'callee'` | A side. |");
    expect(report()).toContain(
      '### Sound\n\nThe sounds.\n\n| Name | Value |\n| --- | --- |\n| `RINGING` | `ringing` |',
    );
  });

  it('is compared, and the check reports how many names it read', () => {
    const read = () => gather();
    const check = (files: Record<string, string>, core = read) =>
      checkApi(forgeTree({ 'docs/react-api.md': reactDocument(gatherReact()), ...files }), () => ({
        core: core(),
        react: gatherReact(),
      }));
    const stale = 'docs/api.md differs from its sources: run npm run docs';
    expect(check({ 'docs/api.md': report() })).toEqual({ looked: '5 names, and 2 of the React binding', faults: [] });
    expect(check({ 'docs/api.md': `${report()}\n` }).faults).toEqual([stale]);
    expect(check({}).faults).toEqual([stale]);
    const other = { 'docs/api.md': report(), 'docs/react-api.md': '' };
    expect(check(other).faults).toEqual(['docs/react-api.md differs from its sources: run npm run docs']);
    const undocumented = () => gather({ 'src/protocol/role.d.ts': 'export type Role = string;\n' });
    const current = { 'docs/api.md': apiDocument(undocumented()) };
    expect(check(current, undocumented).faults).toEqual(['Role is public and has no docstring']);
    const silent = () => gather({ 'src/calls/call.d.ts': CALL.replace('    /** Ends it. */\n', '') });
    const partly = { 'docs/api.md': apiDocument(silent()) };
    expect(check(partly, silent).faults).toEqual(['Call.end is public and has no docstring']);
    const nothing = () => gather({ 'src/calls/index.d.ts': 'export {};\n' });
    const empty = { 'docs/api.md': apiDocument(nothing()) };
    expect(check(empty, nothing)).toEqual({
      looked: '0 names, and 2 of the React binding',
      faults: ['a module exports no name: nothing was checked'],
    });
    const broken = () => gather({ 'src/calls/index.d.ts': 'export * from "./call.ts";\n' });
    expect(check({}, broken)).toEqual({ looked: 'nothing', faults: ['src/calls/index.d.ts: name each export'] });
  });
});
