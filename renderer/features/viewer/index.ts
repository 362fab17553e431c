export { ViewerHost } from './ViewerHost.tsx'
