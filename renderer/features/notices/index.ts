export { NoticeRegion } from './Notices.tsx'
