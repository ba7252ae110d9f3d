"""What the page adds to viser's player: frame stepping, a camera that follows, joint names, curves
with a cursor.

viser's client has no place for controls of a recording, so a small script stands beside it. It
reads the time from the client's slider and sets it through the slider's own handler, and finds
joints and camera where the client keeps them for its tests (``__viserMutable``). Where a later
client has none of these, only the curves remain.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from motionloom.view.curves import find_speed
from motionloom.view.figure import SIDE_COLORS, Figure

_TOOLS = """<style>
#ml-panel{position:fixed;left:12px;bottom:56px;z-index:5;font:13px/1.4 system-ui,sans-serif;color:#444;
background:rgba(255,255,255,.85);border:1px solid #ddd;border-radius:6px;width:min(350px,60vw)}
#ml-tools{display:flex;gap:8px;align-items:center;flex-wrap:wrap;padding:4px 8px}
#ml-tools button{border:1px solid #ccc;background:#fff;border-radius:4px;min-width:2em;cursor:pointer}
#ml-frame{font-variant-numeric:tabular-nums;flex:1;text-align:center}
#ml-curves{display:block;width:100%;height:110px;cursor:crosshair}
.ml-name{position:fixed;left:0;top:0;z-index:4;pointer-events:none;font:11px system-ui,sans-serif;color:#222;
background:rgba(255,255,255,.75);border-radius:3px;padding:0 3px;white-space:nowrap;display:none}
</style><div id="ml-panel"><div id="ml-tools"><button title="one frame back (left arrow)">&#9664;</button>
<span id="ml-frame"></span><button title="one frame on (right arrow)">&#9654;</button>
<label><input type="checkbox" id="ml-follow">follow</label>
<label><input type="checkbox" id="ml-names">names</label>
<label><input type="checkbox" id="ml-show" checked>curves</label></div>
<canvas id="ml-curves"></canvas></div><script>
"use strict";(()=>{
const D=DATA,$=id=>document.getElementById(id),[back,on]=document.querySelectorAll("#ml-tools button"),
 follow=$("ml-follow"),names=$("ml-names"),show=$("ml-show"),frame=$("ml-frame"),plot=$("ml-curves"),
 client=()=>window.__viserMutable,slider=()=>document.querySelector("[role=slider]");
let now=0,mouse=null,balls=null,shown="";
const time=()=>parseFloat(slider()?.getAttribute("aria-valuenow"))||0,
 index=()=>Math.min(Math.floor(time()/D.tick+1e-3),D.count-1);
function seek(i){i=Math.min(Math.max(i,0),D.count-1);const s=slider();if(!s)return;
 let f=s[Object.keys(s).find(k=>k.startsWith("__reactFiber"))];
 while(f){const p=f.memoizedProps;
  if(p&&typeof p.onChange==="function"&&typeof p.value==="number"&&"max"in p){p.onChange((i+.25)*D.tick);return;}
  f=f.return;}}
// Balls of every figure, and where they are in the world and on the screen.
function meshes(){if(balls&&balls.every(b=>b.parent))return balls;
 const all=client()?.nodeRefFromName;if(!all)return null;
 balls=D.figures.map((_,k)=>{let found=null;
  all["/figure"+k+"/joints"]?.traverse(o=>{if(o.getPositionAt&&!found)found=o;});return found;});
 if(!balls.every(b=>b))balls=null;return balls;}
const place=(mesh,i)=>mesh.localToWorld(mesh.getPositionAt(i).clone());
function onScreen(mesh,i,box){const p=place(mesh,i).project(client().camera);
 return p.z>1?null:[box.left+(p.x+1)/2*box.width,box.top+(1-p.y)/2*box.height];}
function chase(){const all=meshes(),control=client()?.cameraControl;if(!all||!control)return;
 const at=all.map((m,k)=>place(m,D.figures[k].root)),n=at.length,was=control.getTarget(at[0].clone()),
  x=at.reduce((s,p)=>s+p.x,0)/n,z=at.reduce((s,p)=>s+p.z,0)/n;
 if(Math.hypot(x-was.x,z-was.z)>1e-4)control.moveTo(x,was.y,z,false);}
const tags=D.figures.map(f=>f.labels.map(text=>{const e=document.createElement("div");e.className="ml-name";
 e.textContent=text;document.body.append(e);return e;}));
function name(){const all=meshes(),canvas=client()?.canvas;if(!all||!canvas)return;
 const box=canvas.getBoundingClientRect();let nearest=null,least=14;
 all.forEach((mesh,k)=>tags[k].forEach((tag,i)=>{
  const p=names.checked||mouse?onScreen(mesh,i,box):null,d=p&&mouse?Math.hypot(p[0]-mouse[0],p[1]-mouse[1]):99;
  if(p&&d<least){least=d;nearest=tag;}
  tag.style.display=p&&names.checked?"block":"none";
  if(p)tag.style.transform="translate("+(p[0]+6).toFixed(1)+"px,"+(p[1]-16).toFixed(1)+"px)";}));
 if(nearest)nearest.style.display="block";}
function draw(){const w=plot.clientWidth,h=plot.clientHeight,s=devicePixelRatio||1,g=plot.getContext("2d");
 plot.width=Math.round(w*s);plot.height=Math.round(h*s);g.setTransform(s,0,0,s,0,0);
 const left=8,right=w-8,rows=D.figures[0].contacts,bottom=h-8-9*rows.length,top=20,span=Math.max(D.count-1,1),
  x=i=>left+(right-left)*i/span,most=Math.max(...D.figures.map(f=>f.most),.1);
 g.font="11px system-ui,sans-serif";g.fillStyle="#666";
 g.fillText("speed of the body, to "+most.toFixed(1)+" m/s"+(rows.length?"; bars: contacts":""),left,13);
 D.figures.forEach((f,k)=>{g.strokeStyle=D.colors[k?1+(k-1)%2:0];g.lineWidth=k?1:1.6;g.beginPath();
  f.speed.forEach((v,i)=>g.lineTo(x(i*f.every),bottom-(bottom-top)*Math.min(v/1000/most,1)));g.stroke();});
 rows.forEach((c,r)=>{g.fillStyle=D.colors[c.side];
  for(const[a,b]of c.runs)g.fillRect(x(Math.max(a-.5,0)),bottom+4+9*r,Math.max(x(b-.5)-x(Math.max(a-.5,0)),1),6);});
 g.strokeStyle="#c81e5a";g.lineWidth=1;g.beginPath();g.moveTo(x(now),top-4);g.lineTo(x(now),h-4);g.stroke();}
back.onclick=()=>seek(index()-1);on.onclick=()=>seek(index()+1);
show.onchange=()=>{plot.style.display=show.checked?"block":"none";shown="";};
plot.onpointerdown=plot.onpointermove=e=>{if(e.buttons!==1)return;
 seek(Math.round((e.offsetX-8)/Math.max(plot.clientWidth-16,1)*(D.count-1)));};
addEventListener("pointermove",e=>mouse=[e.clientX,e.clientY]);
addEventListener("keydown",e=>{const d={ArrowLeft:-1,ArrowRight:1,Home:-1e9,End:1e9}[e.key],t=e.target;
 if(!d||e.ctrlKey||e.altKey||e.metaKey||(t.matches?.("input:not([type=checkbox]),textarea,select")))return;
 e.preventDefault();e.stopImmediatePropagation();seek(index()+d);},true);
function tick(){now=index();const text="frame "+Math.round(now*D.tick*D.fps)+" / "+(D.frames-1);
 if(follow.checked)chase();
 const key=[text,plot.clientWidth,devicePixelRatio].join();
 if(key!==shown){shown=key;frame.textContent=text;if(show.checked)draw();}
 if(names.checked||mouse)name();requestAnimationFrame(tick);}
if(D.count<2){back.disabled=on.disabled=true;show.checked=false;show.onchange();}
requestAnimationFrame(tick);})();
</script>"""


def build_tools(
    figures: Sequence[Figure], tick: float, count: int, fps: float, n_frames: int
) -> str:
    """Elements and script to put at the end of a page's body.

    Parameters
    ----------
    figures : sequence of Figure
        As they are on the page: ``/figure0``, ``/figure1`` ...
    tick : float, seconds
        Time between the frames of the page.
    count : int
        Frames of the page.
    fps : float
        Frames per second of the first figure's file, in which frames are counted.
    n_frames : int
        Frames of that file.
    """
    data = {
        "tick": tick,
        "count": count,
        "fps": fps,
        "frames": n_frames,
        "colors": [f"rgb{color}" for color in SIDE_COLORS],
        "figures": [_figure_data(figure, tick) for figure in figures],
    }
    text = json.dumps(data, separators=(",", ":"))
    # A name must not end the script, nor begin a comment that hides its end.
    return _TOOLS.replace("DATA", text.replace("<", "\\u003c"), 1)


def _figure_data(figure: Figure, tick: float) -> dict[str, object]:
    speed = find_speed(figure.body[:, :2], figure)
    return {
        "root": figure.roles.get("hips", 0),
        "labels": figure.labels,
        "every": figure.frame_time / tick,
        "speed": np.round(1000 * speed).astype(int).tolist(),
        # A single jump must not flatten all the rest.
        "most": round(1.2 * float(np.quantile(speed, 0.99)), 3),
        "contacts": [{"side": c.side, "runs": _runs(c.down)} for c in figure.contacts],
    }


def _runs(down: np.ndarray) -> list[list[int]]:
    """First frame and frame after the last of every run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]])))
    return edges.reshape(-1, 2).tolist()
