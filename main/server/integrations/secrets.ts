import { createHash, createHmac, randomBytes } from 'node:crypto'

/** 256 random bits: nobody guesses one, so a plain hash is enough to store it. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

export const KEY_PREFIX = 'prl_read_'
export const newKey = (): string => KEY_PREFIX + newSecret()

/** What a secret is looked up by: the time of a search in an index says nothing about the secret. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Of `TIMESTAMP.BODY`. Documented in docs/integrations.md. */
export const signatureOf = (secret: string, timestamp: string, body: string): string =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
