import styles from './mosaic.module.css';

const FACES = [1, 2, 3, 4, 5, 6];

/**
 * Shows six portraits of invented people and the sign of a call. They are bundled, so that the first screen needs no
 * server.
 */
export function Mosaic() {
  return (
    <ul className={`landing-mosaic ${styles.mosaic}`} aria-hidden="true">
      {FACES.map((face) => (
        <li key={face}>
          <img src={`/faces/${face}.svg`} alt="" width={600} height={800} fetchPriority="high" draggable={false} />
        </li>
      ))}
    </ul>
  );
}
