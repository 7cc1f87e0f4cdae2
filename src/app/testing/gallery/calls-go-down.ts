import type { Stage } from './scene.ts';

/** Takes the exchange down until the scene ends. */
export function callsGoDown({ services, library }: Pick<Stage, 'services' | 'library'>): Promise<void> {
  const down = new Error('The exchange is down');
  library.authenticationErrors.push(...Array.from({ length: 20 }, () => down));
  services.calling.stop();
  return services.calling.start();
}
