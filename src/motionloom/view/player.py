"""A small player for notebooks: one motion as HTML without network, apart from its page."""

from __future__ import annotations

import base64
import html
import json

import numpy as np

from motionloom.motion import Motion
from motionloom.view.figure import SIDE_COLORS, Figure, build_figure

#: Frames per second that are kept where there is room, and the fewest that still look like motion.
_MOST_FPS, _LEAST_FPS = 30.0, 10.0
#: Bytes of positions; as text in an attribute they take a third more.
_ROOM = 160_000
#: Positions are 16-bit counts of this share of the largest coordinate.
_COUNTS = 32_000
_HEIGHT = 380

_PAGE = """<!doctype html><meta charset="utf-8"><style>
html,body{margin:0;height:100%;font:13px
system-ui,sans-serif;color:#444;background:#fff;overflow:hidden}
canvas{display:block;width:100%;cursor:grab;touch-action:none}
div{display:flex;gap:8px;align-items:center;padding:4px 8px;height:28px;white-space:nowrap}
input[type=range]{flex:1}output{min-width:11em;text-align:right;font-variant-numeric:tabular-nums}
button{width:2.2em}</style><canvas></canvas><div><button title="play or pause
(space)">&#10074;&#10074;</button> <input type="range" min="0" value="0" step="1"
title="frame"><output></output> <label><input type="checkbox" checked>follow</label></div><script>
"use strict"; const D=DATA,raw=Uint8Array.from(atob(D.points),c=>c.charCodeAt(0)),q=new
Int16Array(raw.buffer),P=D.n,
 c=document.querySelector("canvas"),g=c.getContext("2d"),[button,slider]=document.querySelectorAll("button,input"),
 out=document.querySelector("output"),follow=document.querySelector("[type=checkbox]");
let yaw=D.yaw,pitch=.22,zoom=1,time=0,playing=D.frames>1,last=0,at=D.middle,drag=null;
slider.max=D.frames-1;
function point(i,f){const
a=Math.min(Math.floor(f),D.frames-1),b=Math.min(a+1,D.frames-1),u=f-a,r=[];
 for(let k=0;k<3;k++){const x=q[(a*P+i)*3+k],y=q[(b*P+i)*3+k];r.push((x+(y-x)*u)*D.grain);}return
 r;}
function draw(){const w=c.clientWidth,h=innerHeight-36,s=devicePixelRatio||1;
 if(c.width!==Math.round(w*s)||c.height!==Math.round(h*s)){c.width=Math.round(w*s);c.height=Math.round(h*s);
  c.style.height=h+"px";}
 g.setTransform(s,0,0,s,0,0);g.clearRect(0,0,w,h);
 const
 f=Math.min(time*D.fps,D.frames-1),hip=point(D.hips,f),aim=follow.checked?[hip[0],D.height*.5,hip[2]]:D.middle;
 at=aim; const
 cy=Math.cos(yaw),sy=Math.sin(yaw),cp=Math.cos(pitch),sp=Math.sin(pitch),far=D.height*3.4/zoom;
 const see=p=>{const x=p[0]-at[0],y=p[1]-at[1],z=p[2]-at[2],r=x*cy-z*sy,d=x*sy+z*cy,
   k=1.15*h/Math.max(far-(d*cp+y*sp),.05*far)*1.15;return[w/2+r*k,h*.52-(y*cp-d*sp)*k,far-(d*cp+y*sp)];};
 const
 line=(a,b)=>{a=see(a);b=see(b);if(a[2]<.1*far||b[2]<.1*far)return;g.beginPath();g.moveTo(a[0],a[1]);
  g.lineTo(b[0],b[1]);g.stroke();};
 g.lineCap="round";g.strokeStyle="#e2e2e6";g.lineWidth=1;
 const
 step=D.height>.6?.5:D.height/4,n=6,mx=Math.round(at[0]/step)*step,mz=Math.round(at[2]/step)*step;
 for(let i=-n;i<=n;i++)for(let
 j=-n;j<n;j++){line([mx+i*step,0,mz+j*step],[mx+i*step,0,mz+(j+1)*step]);
  line([mx+j*step,0,mz+i*step],[mx+(j+1)*step,0,mz+i*step]);}
 const now=[];for(let i=0;i<P;i++)now.push(point(i,f));
 g.lineWidth=Math.max(2,h/75);
 for(const[a,b,side]of D.bones.slice().sort((m,n)=>see(now[n[1]])[2]-see(now[m[1]])[2])){
  g.strokeStyle=D.colors[side];line(now[a],now[b]);}
 if(D.head>=0){const p=see(now[D.head]);g.fillStyle=D.colors[0];g.beginPath();
  g.arc(p[0],p[1],Math.max(3,.06*D.height*1.3*h/p[2]),0,7);g.fill();}
 slider.value=Math.round(f);const frame=Math.round(f*D.step);
 out.textContent="frame "+frame+" / "+(D.all-1)+"   "+(f/D.fps).toFixed(2)+" s";}
function tick(now){if(playing){const end=(D.frames-1)/D.fps;time+=Math.min((now-last)/1000,.1);
 if(time>end)time=0;draw();}
 last=now;requestAnimationFrame(tick);}
function toggle(){playing=!playing;button.innerHTML=playing?"&#10074;&#10074;":"&#9654;";}
button.onclick=toggle;slider.oninput=()=>{if(playing)toggle();time=slider.value/D.fps;draw();};
follow.onchange=draw;addEventListener("resize",draw);
addEventListener("keydown",e=>{if(e.key===" "){toggle();e.preventDefault();}
 const d={ArrowLeft:-1,ArrowRight:1}[e.key];if(d){if(playing)toggle();
  time=Math.min(Math.max(Math.round(time*D.fps)+d,0),D.frames-1)/D.fps;draw();e.preventDefault();}});
c.onpointerdown=e=>{drag=[e.clientX,e.clientY];c.setPointerCapture(e.pointerId);};
c.onpointermove=e=>{if(!drag)return;yaw-=(e.clientX-drag[0])*.01;
 pitch=Math.min(1.5,Math.max(-.2,pitch+(e.clientY-drag[1])*.01));drag=[e.clientX,e.clientY];draw();};
c.onpointerup=()=>drag=null;
c.addEventListener("wheel",e=>{zoom=Math.min(8,Math.max(.2,zoom*Math.exp(-e.deltaY*.001)));e.preventDefault();draw();},
 {passive:false});
if(!playing)button.disabled=true;draw();requestAnimationFrame(tick);
</script>
"""


def build_player(motion: Motion) -> str:
    """HTML that plays a motion where it is put, below 300 kB whatever the length.

    Parameters
    ----------
    motion : Motion

    Returns
    -------
    str
        A caption and a frame of its own (``<iframe srcdoc>``) without access to the page around it,
        so that any number fit on one page. Motions too long for it are shown at a lower frame rate,
        and then cut short, which the caption says.
    """
    name = html.escape(motion.name or "motion")
    facts = f"{motion.n_frames} frames at {motion.fps:.6g} fps, {motion.duration:.2f} s"
    if motion.n_frames == 0:
        return f"<div><b>{name}</b> {facts}</div>"
    figure = build_figure(motion)
    data, shown = _player_data(figure)
    cut = f" (first {shown:.1f} s shown)" if shown < motion.duration - 0.5 else ""
    page = _PAGE.replace("DATA", json.dumps(data, separators=(",", ":")), 1)
    return (
        f'<div style="font:13px system-ui,sans-serif"><b>{name}</b> {facts}{cut}</div><iframe'
        f' sandbox="allow-scripts" title="{name}" loading="lazy"'
        f' style="width:100%;max-width:640px;height:{_HEIGHT}px;border:1px solid #ddd"'
        f' srcdoc="{html.escape(page)}"></iframe>'
    )


def _player_data(figure: Figure) -> tuple[dict[str, object], float]:
    """What the player's script needs, and its seconds. It holds no name: none needs escaping."""
    used = np.unique(figure.bones) if len(figure.bones) else np.arange(figure.points.shape[1])
    most = max(_ROOM // (6 * len(used)), 2)
    step = max(int(np.ceil(1 / figure.frame_time / _MOST_FPS - 1e-3)), 1)
    slowest = max(int(1 / figure.frame_time / _LEAST_FPS), step)
    step = int(np.clip(np.ceil(figure.n_frames / most), step, slowest))
    points = figure.points[::step, used][:most]
    grain = float(np.abs(points).max(initial=1e-6)) / _COUNTS
    counts = np.round(points / grain).astype("<i2")
    place = {int(point): i for i, point in enumerate(used)}
    root = place.get(figure.roles.get("hips", int(used[0])), 0)
    fps = 1 / (figure.frame_time * step)
    low = points.min(axis=(0, 1))
    high = points.max(axis=(0, 1))
    data: dict[str, object] = {
        "points": base64.b64encode(counts.tobytes()).decode(),
        "n": len(used),
        "frames": len(points),
        "all": figure.n_frames,
        "step": step,
        "fps": fps,
        "grain": grain,
        "bones": [[place[a], place[b], int(figure.sides[b])] for a, b in figure.bones.tolist()],
        "hips": root,
        "head": place.get(figure.head[1], -1) if figure.head else -1,
        "height": round(figure.height, 4),
        "middle": np.round((low + high) / 2, 4).tolist(),
        "yaw": round(float(figure.body[0, 2]) - 0.6, 4),
        "colors": [f"rgb{color}" for color in SIDE_COLORS],
    }
    return data, (len(points) - 1) / fps
