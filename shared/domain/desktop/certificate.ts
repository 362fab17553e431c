/** A certificate as people tell it from others. Times: epoch milliseconds. */
export type Certificate = {
  /** SHA-256 of the whole: pairs of hexadecimal digits with colons. */
  readonly fingerprint: string
  /** Whose it is, and who vouches for that: the same for an authority that no one stands above. */
  readonly subject: string
  readonly issuer: string
  readonly validFrom: number
  readonly validTo: number
}

/** One that holds besides the usual ones. */
export type TrustedCertificate = Certificate & { readonly by: 'person' | 'policy' }

/** One with which the person shows a server, and no other, who they are. */
export type ClientCertificate = Certificate & { readonly host: string }
