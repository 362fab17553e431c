export { ExternalLink, MessageLink } from './ExternalLink.tsx'
