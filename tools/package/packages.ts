/** The content of the two published packages: the library without dependencies, and the tools. */
import { readImports } from '../checks/imports/source-imports.ts';

/** The fields of a package.json that a package is made from. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
  readonly [field: string]: unknown;
}

export interface PublishedPackage {
  /** Its folder below dist/packages. */
  readonly folder: string;
  /** The files and folders of the checkout in the package, at the same paths. */
  readonly holds: readonly string[];
  /** Its README in the checkout. */
  readonly readme: string;
}

export const LIBRARY_PACKAGE: PublishedPackage = {
  folder: 'ringback',
  holds: ['dist/lib'],
  readme: 'docs/packages/ringback.md',
};

/** The tools serve the built app, and hand pages of the browser world the library as one script. */
export const TOOLS_PACKAGE: PublishedPackage = {
  folder: 'ringback-lab',
  holds: [
    ...['dist/cli', 'dist/sim', 'dist/src', 'dist/fixtures', 'dist/app', 'dist/scenario-page'],
    ...['dist/lib/ringback.global.js', 'fixtures'],
  ],
  readme: 'docs/packages/ringback-lab.md',
};

/** The modules of the test kit, by their names in the package. */
const TESTING = { testing: 'testing', 'testing/playwright': 'playwright', 'testing/vitest': 'vitest' };

/** The code of the tools that runs in Node. The rest of the package is bundled. */
export const TOOLS_CODE = ['dist/cli', 'dist/sim', 'dist/src', 'dist/fixtures'];

/** The optional peers of the library. The other peers of the checkout are those of the tools. */
const LIBRARY_PEERS = ['react'];

/** The fields that both packages copy from the package.json of the checkout. */
const SHARED = ['version', 'license', 'type'];
const OF_LIBRARY = ['name', 'description', ...SHARED, 'main', 'module', 'types', 'unpkg', 'jsdelivr', 'exports'];

const pick = (from: Manifest, fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((field) => (from[field] === undefined ? [] : [[field, from[field]]])));

/** Returns the two fields of peers for some of the peers of the checkout. */
const peersOf = (root: Manifest, isWanted: (name: string) => boolean) =>
  Object.fromEntries(
    (['peerDependencies', 'peerDependenciesMeta'] as const).flatMap((field) => {
      const wanted = Object.entries(root[field] ?? {}).filter(([name]) => isWanted(name));
      return wanted.length === 0 ? [] : [[field, Object.fromEntries(wanted)]];
    }),
  );

/**
 * Makes the package.json of the library. It has no dependencies: they are in its bundles. React is an optional peer. It has no `engines`: it runs
 * in pages, and Yarn 1 refuses to install a package whose `engines` exclude the Node of an old toolchain.
 */
export const libraryManifest = (root: Manifest) => ({
  ...pick(root, OF_LIBRARY),
  ...peersOf(root, (name) => LIBRARY_PEERS.includes(name)),
});

/**
 * Makes the package.json of the tools.
 *
 * @param root - that of the checkout, which has the versions.
 * @param lab - that of the workspace, which has the name.
 * @param imported - the packages that the code of the tools imports.
 * @throws Error naming a package that is imported and missing in every list of `root`.
 */
export function toolsManifest(root: Manifest, lab: Manifest, imported: readonly string[]) {
  const { dependencies = {}, peerDependencies = {} } = root;
  const needed = imported.filter((name) => !(name in peerDependencies));
  const missing = needed.filter((name) => !(name in dependencies));
  if (missing.length > 0)
    throw new Error(`the tools import ${missing.join(', ')}: add to the dependencies of package.json`);
  return {
    name: lab.name,
    description: lab['description'],
    ...pick(root, [...SHARED, 'engines']),
    bin: { ringback: './dist/cli/main.js' },
    exports: {
      './scenario': {
        types: './dist/sim/scenario/builder/scenario.d.ts',
        default: './dist/sim/scenario/builder/scenario.js',
      },
      ...Object.fromEntries(
        Object.entries(TESTING).map(([name, file]) => [
          `./${name}`,
          { types: `./dist/cli/testing/${file}.d.ts`, default: `./dist/cli/testing/${file}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    dependencies: Object.fromEntries(needed.map((name) => [name, dependencies[name]])),
    ...peersOf(root, (name) => !LIBRARY_PEERS.includes(name)),
  };
}

/** Returns the packages that JavaScript sources import or require, by name, each once and in order. */
export function importedPackages(sources: Iterable<readonly [file: string, source: string]>): string[] {
  const names = new Set<string>();
  for (const [file, source] of sources) {
    const { imports, error } = readImports(file, source);
    if (error !== undefined) throw new Error(`${file} cannot be parsed: ${error}`);
    const required = [...source.matchAll(/\brequire\('([^']+)'\)/g)].map(([, specifier]) => specifier);
    for (const specifier of [...imports.map((one) => one.specifier), ...required]) {
      if (specifier === undefined || /^(node:|\.|\/)/.test(specifier)) continue;
      names.add(specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return [...names].toSorted();
}
