import type { Plugin } from 'vite';

/** A plugin of the app's build: `run` is given the folder once every file is in it, those of the public folder too. */
export function afterBuild(name: string, run: (dir: string) => Promise<void>): Plugin {
  let dir = '';
  let isWritten = false;
  return {
    name,
    apply: 'build',
    configResolved(config) {
      dir = config.build.outDir;
    },
    writeBundle() {
      isWritten = true;
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        // What failed is told by the build, which closes the bundle all the same.
        if (isWritten) await run(dir);
      },
    },
  };
}
