import { createContext, useContext } from 'react';
import type { Services } from './services.ts';

const ServicesContext = createContext<Services | null>(null);
export const ServicesProvider = ServicesContext.Provider;

/**
 * Returns the services of the app.
 *
 * @throws Error outside of a `ServicesProvider`.
 */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('This component must be inside of a ServicesProvider');
  return services;
}
