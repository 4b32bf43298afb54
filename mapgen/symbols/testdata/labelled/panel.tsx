import React, { useState } from "react";
import { Row } from "@/ui/row";

export interface PanelProps { title: string; onClose?: () => void }
export const id = <T,>(x: T) => x;
export const El = () => <div>{id(1)}</div>;
export function Panel({ title }: PanelProps) {
  const [open, setOpen] = useState(false);
  return <section><Row k={title} /></section>;
}
function Inner() { return <b/> }
export const Memo = React.memo(Inner);
export class Boundary extends React.Component<PanelProps, { bad: boolean }> {
  state = { bad: false };
  static getDerivedStateFromError() { return { bad: true } }
  private reset() {}
  render() { return <>{this.props.title}</> }
}
export default Panel;
