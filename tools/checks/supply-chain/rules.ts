/** The packages that `npm ci` may install (S47). Each entry has a reason. An unused entry is a fault, too. */

/** The packages that may run code during their installation. Any other package with such a script fails the check. */
export const INSTALL_SCRIPTS: Readonly<Record<string, string>> = {
  esbuild: 'Replaces its start script by the binary of the platform. The bundler of vite and tsx.',
  fsevents: 'Compiles the file watcher of macOS. An optional part of the old bundler among the hosts.',
  msw: 'Copies its worker into a folder that package.json names; ours names none. A mock server of the tests.',
};

/** The licences that a package may have, by their SPDX ids. */
export const LICENCES: Readonly<Record<string, string>> = {
  '0BSD': 'Permissive.',
  'Apache-2.0': 'Permissive.',
  'BSD-2-Clause': 'Permissive.',
  'BSD-3-Clause': 'Permissive.',
  'BlueOak-1.0.0': 'Permissive.',
  ISC: 'Permissive.',
  MIT: 'Permissive.',
  Unlicense: 'In the public domain, or permissive where that is not possible.',
  Zlib: 'Permissive.',
  'CC-BY-4.0': 'Data of a development tool, which is not distributed.',
  'LGPL-3.0-or-later': 'libvips, a shared library in a package of its own, which a user can replace.',
  'MPL 2.0': 'MPL-2.0, as node-datachannel writes it: a WebRTC stack of the tests.',
  'MPL-2.0': 'Files that we use as they are: web-push in the server, others in development tools.',
  'OFL-1.1': 'The font of the app, which may be distributed with a program.',
};

/** The packages without a licence in the lock file, with the licence in the package itself. */
export const UNNAMED_LICENCES: Readonly<Record<string, string>> = {
  '@inlang/plugin-message-format': 'MIT',
  'console-browserify': 'MIT',
  'enhanced-resolve': 'MIT',
  'parse-cache-control': 'BSD-3-Clause',
  'querystring-es3': 'MIT',
  'sqlite-wasm-kysely': 'MIT',
};
