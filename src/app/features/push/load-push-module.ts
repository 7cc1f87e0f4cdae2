import type { FcmModule } from './fcm-provider.ts';

declare global {
  /** The exports that a module of Firebase assigns for the app (docs/push.md). */
  var __PUSH_MODULE__: FcmModule | undefined;
}

/**
 * Loads the module that the configuration names, as a script of the same origin. The content security policy permits no
 * other.
 */
export function loadPushModule(page: Document, url: string): Promise<FcmModule> {
  return new Promise((resolve, reject) => {
    const script = page.createElement('script');
    script.type = 'module';
    script.src = url;
    script.addEventListener('load', () => {
      if (globalThis.__PUSH_MODULE__) resolve(globalThis.__PUSH_MODULE__);
      else reject(new Error(`${url} sets no __PUSH_MODULE__`));
    });
    script.addEventListener('error', () => reject(new Error(`${url} could not be loaded`)));
    page.head.append(script);
  });
}
