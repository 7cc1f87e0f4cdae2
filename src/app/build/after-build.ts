import type { Plugin } from 'vite';

/**
 * Returns a plugin of the app's build. It calls `run` with the output folder when every file is in it, public files
 * included.
 */
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
        // The bundler closes the bundle of a failed build too. The build reports that failure itself.
        if (isWritten) await run(dir);
      },
    },
  };
}
