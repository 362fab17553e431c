export { ExternalLink, MessageLink, openLink } from './ExternalLink.tsx'
export { asksFirst, hostToShow, safeLink, type SafeLink } from './safe-link.ts'
