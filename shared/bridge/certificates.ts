import * as v from 'valibot'
import type { Certificate, TrustedCertificate } from '#shared/domain/certificate.ts'
import { call } from '#shared/lib/contract.ts'
import { nothing } from './schemas.ts'

/** The words of a PEM file. */
const file = v.object({ text: v.pipe(v.string(), v.maxLength(500_000)) })

/** Authorities that are trusted besides the usual ones, for everything that main asks for. */
export const certificates = {
  list: call<readonly TrustedCertificate[]>()(nothing),
  /**
   * What a file holds, before anybody trusts it. Rejects with `certificates/none`, `certificates/damaged`,
   * `certificates/no-authority` or `certificates/many`.
   */
  read: call<readonly Certificate[]>('dialog')(file),
  /** From now on and after every start. Rejects as `read` does, and then nothing is changed. */
  trust: call<readonly TrustedCertificate[]>('dialog')(file),
  /** Those of a policy stay. */
  remove: call<readonly TrustedCertificate[]>('dialog')(
    v.object({ fingerprint: v.pipe(v.string(), v.regex(/^(?:[0-9A-F]{2}:){31}[0-9A-F]{2}$/)) }),
  ),
}
