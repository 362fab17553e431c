/** The distinguishing fields of a certificate. Times: epoch milliseconds. */
export type Certificate = {
  /** SHA-256 of the certificate: pairs of hexadecimal digits with colons. */
  readonly fingerprint: string
  /** The same for a root authority. */
  readonly subject: string
  readonly issuer: string
  readonly validFrom: number
  readonly validTo: number
}

/** An authority trusted in addition to the default ones. */
export type TrustedCertificate = Certificate & { readonly by: 'person' | 'policy' }

/** A client certificate for one server and no other. */
export type ClientCertificate = Certificate & { readonly host: string }
