import { command } from '../../../store/command.ts'

export const askCertificates = command(
  'certificates/asked',
  (_input: undefined, engine) => engine.certificates.list(),
  { quiet: true },
)
/** Errors of all of these are shown beside their buttons. */
export const readCertificates = command(
  'certificates/read',
  (input: { readonly text: string }, engine) => engine.certificates.read(input),
  { quiet: true },
)
export const trustCertificates = command(
  'certificates/trusted',
  (input: { readonly text: string }, engine) => engine.certificates.trust(input),
  { quiet: true },
)
export const removeCertificate = command(
  'certificates/removed',
  (input: { readonly fingerprint: string }, engine) => engine.certificates.remove(input),
  { quiet: true },
)

export const askOwnCertificate = command(
  'certificates/ownAsked',
  (_input: undefined, engine) => engine.certificates.own(),
  { quiet: true },
)
export const setOwnCertificate = command(
  'certificates/ownSet',
  (input: { readonly host: string; readonly files: string[]; readonly passphrase: string }, engine) =>
    engine.certificates.setOwn(input),
  { quiet: true },
)
export const removeOwnCertificate = command(
  'certificates/ownRemoved',
  (_input: undefined, engine) => engine.certificates.removeOwn(),
  { quiet: true },
)
