export { ExternalLink, MessageLink } from './ExternalLink.tsx'
export { hostToShow, safeLink } from './safe-link.ts'
