import * as v from 'valibot'
import type { Certificate, ClientCertificate, TrustedCertificate } from '#shared/domain/desktop/certificate.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

/** The text of a PEM file. */
const file = v.object({ text: v.pipe(v.string(), v.maxLength(500_000)) })

/** Certificate authorities trusted in addition to the default ones, for every request of main. */
export const certificates = {
  list: call<readonly TrustedCertificate[]>()(nothing),
  /**
   * Parses a file before it is trusted. Rejects with `certificates/none`, `certificates/damaged`,
   * `certificates/no-authority` or `certificates/many`.
   */
  read: call<readonly Certificate[]>('dialog')(file),
  /** Takes effect now and after every start. Rejects as `read` does, and then nothing is changed. */
  trust: call<readonly TrustedCertificate[]>('dialog')(file),
  /** The client certificate for one server; absent if none is set. */
  own: call<{ readonly certificate?: ClientCertificate }>()(nothing),
  /**
   * Takes effect now and after every start, and replaces the previous certificate. `files`: PEM with certificate and
   * key, or PKCS#12. Rejects with `identity/none`, `identity/passphrase`, `identity/mismatch`, `identity/damaged` or
   * `identity/host`, and then nothing is changed. It can never be read back.
   */
  setOwn: call<ClientCertificate>('dialog')(
    v.object({
      host: v.pipe(v.string(), v.maxLength(2_048)),
      files: v.pipe(v.array(v.pipe(v.string(), v.maxLength(400_000), v.base64())), v.minLength(1), v.maxLength(2)),
      passphrase: v.pipe(v.string(), v.maxLength(1_000)),
    }),
  ),
  removeOwn: call<void>('dialog')(nothing),
  /** Removes an authority that the user added; those of a policy remain. */
  remove: call<readonly TrustedCertificate[]>('dialog')(
    v.object({ fingerprint: v.pipe(v.string(), v.regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)) }),
  ),
}
