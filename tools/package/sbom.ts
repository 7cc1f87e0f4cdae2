/**
 * The list of the packages of a checkout, as CycloneDX 1.6 (cyclonedx.org/docs/1.6/json), made from the lock file
 * alone.
 */
import { UNNAMED_LICENCES } from '../checks/supply-chain/rules.ts';
import {
  installedOf,
  nameAt,
  placeOf,
  type LockedPackage,
  type LockedPackages,
} from '../checks/supply-chain/lock-file.ts';

interface Component {
  readonly type: 'library' | 'application';
  /** Its path below the checkout. A package may occur twice, in two versions. */
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: '1.6';
  readonly version: 1;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const ROOT = 'ringback';

/** @throws Error when a package has no version or no sha512, because the list would be ambiguous. */
export function makeSbom(packages: LockedPackages): Sbom {
  const root = packages[''];
  if (root?.version === undefined) throw new Error('package-lock.json names no version of the checkout');
  const installed = installedOf(packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ROOT,
        name: ROOT,
        version: root.version,
        purl: purlOf(ROOT, root.version),
        ...(root.license === undefined ? {} : { licenses: [{ expression: root.license }] }),
      },
    },
    components: installed.map(componentOf),
    dependencies: [
      { ref: ROOT, dependsOn: askedBy(packages, '', root) },
      ...installed.map(([path, locked]) => ({ ref: path, dependsOn: askedBy(packages, path, locked) })),
    ],
  };
}

function componentOf([path, locked]: readonly [string, LockedPackage]): Component {
  const name = nameAt(path);
  const { version, integrity = '', dev, license = UNNAMED_LICENCES[name] } = locked;
  const [, hash] = /^sha512-(\S+)/.exec(integrity) ?? [];
  if (version === undefined || hash === undefined)
    throw new Error(`package-lock.json lacks the version or hash of ${name}`);
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl: purlOf(name, version),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(dev ? { properties: [{ name: 'cdx:npm:package:development', value: 'true' }] } : {}),
  };
}

/** Returns the paths of the dependencies of a package, as far as they are installed. */
function askedBy(packages: LockedPackages, path: string, locked: LockedPackage): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = locked;
  const development = path === '' ? locked.devDependencies : {};
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...development });
  const places = names.flatMap((name) => placeOf(packages, path, name) ?? []);
  return places.filter((place) => !packages[place]?.link).toSorted();
}

/** The address of a package by the purl specification, type npm: the `@` of a scope is encoded. */
const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
