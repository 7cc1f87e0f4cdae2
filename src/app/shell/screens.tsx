import { Suspense, lazy } from 'react';
import { Navigate, Route, Routes } from 'react-router-dom';
import { useServices } from '../services/services-context.ts';
import { useSignedIn } from '../session/use-signed-in.ts';
import { ScreenErrorBoundary } from './screen-error-boundary.tsx';
import { ScreenLoading } from './screen-loading.tsx';
import type { ReactNode } from 'react';

const Landing = lazy(() => import('../screens/landing/landing.tsx'));
const Login = lazy(() => import('../screens/login/login.tsx'));
const Home = lazy(() => import('../screens/home/home.tsx'));
const NotFound = lazy(() => import('../screens/not-found/not-found.tsx'));

/** Every screen, each loaded when it is first needed (app-shell §2). */
export function Screens() {
  const { presence } = useServices();
  return (
    <ScreenErrorBoundary>
      <Suspense fallback={<ScreenLoading />}>
        <Routes>
          <Route path="/" element={<Landing />} />
          <Route path="/home" element={<Landing />} />
          <Route path="/login" element={<Login openPresence={presence.open} />} />
          <Route path="/home-man" element={<SignedIn screen={<Home />} />} />
          <Route path="/home-woman" element={<SignedIn screen={<Home />} />} />
          <Route path="*" element={<NotFound />} />
        </Routes>
      </Suspense>
    </ScreenErrorBoundary>
  );
}

/** A screen for users only; anybody else is a visitor, and visitors are sent to /home. */
function SignedIn({ screen }: { screen: ReactNode }) {
  return useSignedIn() === null ? <Navigate to="/home" replace /> : screen;
}
