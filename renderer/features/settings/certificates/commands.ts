import { command } from '../../../store/command.ts'

export const askCertificates = command(
  'certificates/asked',
  (_input: undefined, engine) => engine.certificates.list(),
  { quiet: true },
)
/** Refused beside the button that asked, as all of these are. */
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
