/** The certificate that the server proves its identity with in DTLS. Answers have its fingerprint. */
import { X509Certificate } from 'node:crypto';
import { CipherContext, HashAlgorithm, NamedCurveAlgorithm, SignatureAlgorithm } from 'werift';
import type { ServerCertificate } from './secure-transport.ts';

/** Creates a certificate on the curve P-256, signed by itself. */
export async function createCertificate(): Promise<ServerCertificate> {
  const made = await CipherContext.createSelfSignedCertificateWithKey(
    { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 },
    NamedCurveAlgorithm.secp256r1_23,
  );
  return { ...made, fingerprint: { hash: 'sha-256', value: new X509Certificate(made.certPem).fingerprint256 } };
}
