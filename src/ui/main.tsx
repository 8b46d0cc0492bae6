import './style.css'
import { render } from 'preact'
import { watchWorld } from './live.ts'
import { Shell } from './shell.tsx'

const page = document.getElementById('page')
if (page) {
  render(<Shell />, page)
  watchWorld()
}
