import * as v from 'valibot'
import type { Certificate, ClientCertificate, TrustedCertificate } from '#shared/domain/desktop/certificate.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from '../schemas.ts'

/** The words of a PEM file. */
const file = v.object({ text: v.pipe(v.string(), v.maxLength(500_000)) })

/** Authorities that are trusted besides the usual ones, for everything that main asks for. */
export const certificates = {
  list: call<readonly TrustedCertificate[]>()(nothing),
  /**
   * What a file holds, before anyone trusts it. Rejects with `certificates/none`, `certificates/damaged`,
   * `certificates/no-authority` or `certificates/many`.
   */
  read: call<readonly Certificate[]>('dialog')(file),
  /** From now on and after every start. Rejects as `read` does, and then nothing is changed. */
  trust: call<readonly TrustedCertificate[]>('dialog')(file),
  /** With what the person shows one server who they are; absent where there is nothing. */
  own: call<{ readonly certificate?: ClientCertificate }>()(nothing),
  /**
   * From now on and after every start, in place of the one before. `files`: PEM with certificate and key, or PKCS#12. Rejects
   * with `identity/none`, `identity/passphrase`, `identity/mismatch`, `identity/damaged` or `identity/host`, and then nothing
   * is changed. It can never be read back.
   */
  setOwn: call<ClientCertificate>('dialog')(
    v.object({
      host: v.pipe(v.string(), v.maxLength(2_048)),
      files: v.pipe(v.array(v.pipe(v.string(), v.maxLength(400_000), v.base64())), v.minLength(1), v.maxLength(2)),
      passphrase: v.pipe(v.string(), v.maxLength(1_000)),
    }),
  ),
  removeOwn: call<void>('dialog')(nothing),
  /** Those of a policy stay. */
  remove: call<readonly TrustedCertificate[]>('dialog')(
    v.object({ fingerprint: v.pipe(v.string(), v.regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)) }),
  ),
}
