import type { Stage } from './scene.ts';

/** The exchange is down, for as long as the scene is looked at. */
export function callsGoDown({ services, library }: Pick<Stage, 'services' | 'library'>): Promise<void> {
  const down = new Error('The exchange is down');
  library.authenticationErrors.push(...Array.from({ length: 20 }, () => down));
  services.calling.stop();
  return services.calling.start();
}
