export { NoticeRegion } from './NoticeRegion.tsx'
