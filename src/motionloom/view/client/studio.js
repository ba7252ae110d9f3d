"use strict";(()=>{var xs=class{seconds=0;running=!1;listeners=new Set;stateListeners=new Set;speed=1;loop=!0;range=null;frames=1;rate=30;get fps(){return this.rate}get total(){return this.frames}get playing(){return this.running}get time(){return this.seconds}get frame(){return this.seconds*this.rate}setLength(t,e){this.frames=Math.max(t,1),this.rate=e,this.seek(this.frame),this.told()}seek(t){let e=Math.min(Math.max(t,0),this.frames-1);this.seconds=e/this.rate;for(let i of this.listeners)i(e)}step(t){this.pause(),this.seek(Math.round(this.frame)+t)}play(){if(this.running||this.frames<2)return;let[t,e]=this.bounds();this.speed>0&&this.frame>=e&&this.seek(t),this.speed<0&&this.frame<=t&&this.seek(e),this.running=!0,this.told()}pause(){this.running&&(this.running=!1,this.told())}toggle(){this.running?this.pause():this.play()}setSpeed(t){this.speed=t,this.told()}tick(t){if(!this.running)return;let[e,i]=this.bounds(),s=this.frame+t*this.speed*this.rate;if(s>=e&&s<=i){this.seek(s);return}if(this.loop){this.seek(this.speed<0?i:e);return}this.seek(this.speed<0?e:i),this.pause()}onFrame(t){return this.listeners.add(t),()=>this.listeners.delete(t)}onState(t){return this.stateListeners.add(t),()=>this.stateListeners.delete(t)}bounds(){let t=this.frames-1;return this.range===null?[0,t]:[Math.max(this.range[0],0),Math.min(this.range[1],t)]}told(){for(let t of this.stateListeners)t()}};var Di={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},Ni={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},Sp=0,Mu=1,Mp=2;var mo=1,wp=2,Zs=3,$n=0,sn=1,on=2,ns=0,Js=1,wu=2,Eu=3,Tu=4,Ep=5;var is=100,Tp=101,Ap=102,Cp=103,Pp=104,Rp=200,Ip=201,Lp=202,Dp=203,Au=204,Cu=205,Np=206,Op=207,Up=208,Fp=209,kp=210,Bp=211,zp=212,Hp=213,Gp=214,Da=0,Na=1,Oa=2,Us=3,Ua=4,Fa=5,ka=6,Ba=7,xl=0,Vp=1,Wp=2,qn=0,Pu=1,Ru=2,Iu=3,Lu=4,Du=5,Nu=6,Ou=7,uu="attached",Xp="detached",Uu=300,ss=301,js=302,_l=303,vl=304,za=1e3,Wn=1001,Ha=1002,ze=1003,$p=1004;var go=1005;var je=1006,bl=1007;var pi=1008;var an=1009,Fu=1010,ku=1011,Qs=1012,Sl=1013,Un=1014,yn=1015,Fn=1016,Ml=1017,wl=1018,rs=1020,Bu=35902,zu=35899,Hu=1021,Gu=1022,An=1023,ci=1026,mi=1027,El=1028,Tl=1029,Oi=1030,Al=1031;var Cl=1033,yo=33776,xo=33777,_o=33778,vo=33779,Pl=35840,Rl=35841,Il=35842,Ll=35843,Dl=36196,Nl=37492,Ol=37496,Ul=37488,Fl=37489,bo=37490,kl=37491,Bl=37808,zl=37809,Hl=37810,Gl=37811,Vl=37812,Wl=37813,Xl=37814,$l=37815,ql=37816,Yl=37817,Kl=37818,Zl=37819,Jl=37820,jl=37821,Ql=36492,tc=36494,ec=36495,nc=36283,ic=36284,So=36285,sc=36286;var Lr=2300,Ga=2301,Ia=2302,du=2303,fu=2400,pu=2401,mu=2402;var qp=3200;var rc=0,Yp=1,gi="",fn="srgb",Dr="srgb-linear",Nr="linear",ne="srgb";var La=7680;var Kp=519,Zp=512,Jp=513,jp=514,Vu=515,Qp=516,tm=517,Wu=518,Xu=519,em=35044;var $u="300 es",wn=2e3,Fs=2001;function Vx(n){for(let t=n.length-1;t>=0;--t)if(n[t]>=65535)return!0;return!1}function Wx(n){return ArrayBuffer.isView(n)&&!(n instanceof DataView)}function Or(n){return document.createElementNS("http://www.w3.org/1999/xhtml",n)}function nm(){let n=Or("canvas");return n.style.display="block",n}var If={},ks=null;function qu(...n){let t="THREE."+n.shift();ks?ks("log",t,...n):console.log(t,...n)}function im(n){let t=n[0];if(typeof t=="string"&&t.startsWith("TSL:")){let e=n[1];e&&e.isStackTrace?n[0]+=" "+e.getLocation():n[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return n}function Ct(...n){n=im(n);let t="THREE."+n.shift();if(ks)ks("warn",t,...n);else{let e=n[0];e&&e.isStackTrace?console.warn(e.getError(t)):console.warn(t,...n)}}function Ot(...n){n=im(n);let t="THREE."+n.shift();if(ks)ks("error",t,...n);else{let e=n[0];e&&e.isStackTrace?console.error(e.getError(t)):console.error(t,...n)}}function Cr(...n){let t=n.join(" ");t in If||(If[t]=!0,Ct(...n))}function sm(n,t,e){return new Promise(function(i,s){function r(){switch(n.clientWaitSync(t,n.SYNC_FLUSH_COMMANDS_BIT,0)){case n.WAIT_FAILED:s();break;case n.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:i()}}setTimeout(r,e)})}var rm={[Da]:Da,[Oa]:ka,[Ua]:Ua,[Us]:Fa,[Na]:Na,[ka]:Oa,[Ba]:Ba,[Fa]:Us},Ln=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let i=this._listeners;i[t]===void 0&&(i[t]=[]),i[t].indexOf(e)===-1&&i[t].push(e)}hasEventListener(t,e){let i=this._listeners;return i===void 0?!1:i[t]!==void 0&&i[t].indexOf(e)!==-1}removeEventListener(t,e){let i=this._listeners;if(i===void 0)return;let s=i[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){let e=this._listeners;if(e===void 0)return;let i=e[t.type];if(i!==void 0){t.target=this;let s=i.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},qe=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Lf=1234567,Ds=Math.PI/180,Bs=180/Math.PI;function Ui(){let n=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,i=Math.random()*4294967295|0;return(qe[n&255]+qe[n>>8&255]+qe[n>>16&255]+qe[n>>24&255]+"-"+qe[t&255]+qe[t>>8&255]+"-"+qe[t>>16&15|64]+qe[t>>24&255]+"-"+qe[e&63|128]+qe[e>>8&255]+"-"+qe[e>>16&255]+qe[e>>24&255]+qe[i&255]+qe[i>>8&255]+qe[i>>16&255]+qe[i>>24&255]).toLowerCase()}function Xt(n,t,e){return Math.max(t,Math.min(e,n))}function Yu(n,t){return(n%t+t)%t}function Xx(n,t,e,i,s){return i+(n-t)*(s-i)/(e-t)}function $x(n,t,e){return n!==t?(e-n)/(t-n):0}function Pr(n,t,e){return(1-e)*n+e*t}function qx(n,t,e,i){return Pr(n,t,1-Math.exp(-e*i))}function Yx(n,t=1){return t-Math.abs(Yu(n,t*2)-t)}function Kx(n,t,e){return n<=t?0:n>=e?1:(n=(n-t)/(e-t),n*n*(3-2*n))}function Zx(n,t,e){return n<=t?0:n>=e?1:(n=(n-t)/(e-t),n*n*n*(n*(n*6-15)+10))}function Jx(n,t){return n+Math.floor(Math.random()*(t-n+1))}function jx(n,t){return n+Math.random()*(t-n)}function Qx(n){return n*(.5-Math.random())}function t_(n){n!==void 0&&(Lf=n);let t=Lf+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function e_(n){return n*Ds}function n_(n){return n*Bs}function i_(n){return n>0&&Number.isInteger(n)&&2**Math.round(Math.log2(n))===n}function s_(n){return Math.pow(2,Math.ceil(Math.log(n)/Math.LN2))}function Ku(n){return Math.pow(2,Math.floor(Math.log(n)/Math.LN2))}function r_(n,t,e,i,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+i)/2),h=o((t+i)/2),u=r((t-i)/2),d=o((t-i)/2),f=r((i-t)/2),p=o((i-t)/2);switch(s){case"XYX":n.set(a*h,l*u,l*d,a*c);break;case"YZY":n.set(l*d,a*h,l*u,a*c);break;case"ZXZ":n.set(l*u,l*d,a*h,a*c);break;case"XZX":n.set(a*h,l*p,l*f,a*c);break;case"YXY":n.set(l*f,a*h,l*p,a*c);break;case"ZYZ":n.set(l*p,l*f,a*h,a*c);break;default:Ct("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function Zu(n){switch(n.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function om(n,t){if(t.constructor===Float32Array)return n;let e=Zu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(n/e,-1)}function am(n,t){if(t.constructor===Float32Array)return n;let e=Zu(t);if(e===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(n*e)}var Yn={DEG2RAD:Ds,RAD2DEG:Bs,generateUUID:Ui,clamp:Xt,euclideanModulo:Yu,mapLinear:Xx,inverseLerp:$x,lerp:Pr,damp:qx,pingpong:Yx,smoothstep:Kx,smootherstep:Zx,randInt:Jx,randFloat:jx,randFloatSpread:Qx,seededRandom:t_,degToRad:e_,radToDeg:n_,isPowerOfTwo:i_,ceilPowerOfTwo:s_,floorPowerOfTwo:Ku,setQuaternionFromProperEuler:r_,normalize:am,denormalize:om},dt=class{static{this.prototype.isVector2=!0}constructor(t=0,e=0){this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("THREE.Vector2: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,i=this.y,s=t.elements;return this.x=s[0]*e+s[3]*i+s[6],this.y=s[1]*e+s[4]*i+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=Xt(this.x,t.x,e.x),this.y=Xt(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=Xt(this.x,t,e),this.y=Xt(this.y,t,e),this}clampLength(t,e){let i=this.length();return this.divideScalar(i||1).multiplyScalar(Xt(i,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let i=this.dot(t)/e;return Math.acos(Xt(i,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,i=this.y-t.y;return e*e+i*i}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,i){return this.x=t.x+(e.x-t.x)*i,this.y=t.y+(e.y-t.y)*i,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let i=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*i-o*s+t.x,this.y=r*s+o*i+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},Qe=class{constructor(t=0,e=0,i=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=i,this._w=s}static slerpFlat(t,e,i,s,r,o,a){let l=i[s+0],c=i[s+1],h=i[s+2],u=i[s+3],d=r[o+0],f=r[o+1],p=r[o+2],x=r[o+3];if(u!==x||l!==d||c!==f||h!==p){let m=l*d+c*f+h*p+u*x;m<0&&(d=-d,f=-f,p=-p,x=-x,m=-m);let g=1-a;if(m<.9995){let v=Math.acos(m),M=Math.sin(v);g=Math.sin(g*v)/M,a=Math.sin(a*v)/M,l=l*g+d*a,c=c*g+f*a,h=h*g+p*a,u=u*g+x*a}else{l=l*g+d*a,c=c*g+f*a,h=h*g+p*a,u=u*g+x*a;let v=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=v,c*=v,h*=v,u*=v}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=u}static multiplyQuaternionsFlat(t,e,i,s,r,o){let a=i[s],l=i[s+1],c=i[s+2],h=i[s+3],u=r[o],d=r[o+1],f=r[o+2],p=r[o+3];return t[e]=a*p+h*u+l*f-c*d,t[e+1]=l*p+h*d+c*u-a*f,t[e+2]=c*p+h*f+a*d-l*u,t[e+3]=h*p-a*u-l*d-c*f,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,i,s){return this._x=t,this._y=e,this._z=i,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let i=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(i/2),h=a(s/2),u=a(r/2),d=l(i/2),f=l(s/2),p=l(r/2);switch(o){case"XYZ":this._x=d*h*u+c*f*p,this._y=c*f*u-d*h*p,this._z=c*h*p+d*f*u,this._w=c*h*u-d*f*p;break;case"YXZ":this._x=d*h*u+c*f*p,this._y=c*f*u-d*h*p,this._z=c*h*p-d*f*u,this._w=c*h*u+d*f*p;break;case"ZXY":this._x=d*h*u-c*f*p,this._y=c*f*u+d*h*p,this._z=c*h*p+d*f*u,this._w=c*h*u-d*f*p;break;case"ZYX":this._x=d*h*u-c*f*p,this._y=c*f*u+d*h*p,this._z=c*h*p-d*f*u,this._w=c*h*u+d*f*p;break;case"YZX":this._x=d*h*u+c*f*p,this._y=c*f*u+d*h*p,this._z=c*h*p-d*f*u,this._w=c*h*u-d*f*p;break;case"XZY":this._x=d*h*u-c*f*p,this._y=c*f*u-d*h*p,this._z=c*h*p+d*f*u,this._w=c*h*u+d*f*p;break;default:Ct("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let i=e/2,s=Math.sin(i);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(i),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,i=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],u=e[10],d=i+a+u;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(o-s)*f}else if(i>a&&i>u){let f=2*Math.sqrt(1+i-a-u);this._w=(h-l)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+c)/f}else if(a>u){let f=2*Math.sqrt(1+a-i-u);this._w=(r-c)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(l+h)/f}else{let f=2*Math.sqrt(1+u-i-a);this._w=(o-s)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let i=t.dot(e)+1;return i<1e-8?(i=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=i):(this._x=0,this._y=-t.z,this._z=t.y,this._w=i)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=i),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(Xt(this.dot(t),-1,1)))}rotateTowards(t,e){let i=this.angleTo(t);if(i===0)return this;let s=Math.min(1,e/i);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let i=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=i*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-i*c,this._z=r*h+o*c+i*l-s*a,this._w=o*h-i*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){let i=t._x,s=t._y,r=t._z,o=t._w,a=this.dot(t);a<0&&(i=-i,s=-s,r=-r,o=-o,a=-a);let l=1-e;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,e=Math.sin(e*c)/h,this._x=this._x*l+i*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this._onChangeCallback()}else this._x=this._x*l+i*e,this._y=this._y*l+s*e,this._z=this._z*l+r*e,this._w=this._w*l+o*e,this.normalize();return this}slerpQuaternions(t,e,i){return this.copy(t).slerp(e,i)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),i=Math.random(),s=Math.sqrt(1-i),r=Math.sqrt(i);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},C=class{static{this.prototype.isVector3=!0}constructor(t=0,e=0,i=0){this.x=t,this.y=e,this.z=i}set(t,e,i){return i===void 0&&(i=this.z),this.x=t,this.y=e,this.z=i,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("THREE.Vector3: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(Df.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(Df.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,i=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*i+r[6]*s,this.y=r[1]*e+r[4]*i+r[7]*s,this.z=r[2]*e+r[5]*i+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,i=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*i+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*i+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*i+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*i+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,i=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*i),h=2*(a*e-r*s),u=2*(r*i-o*e);return this.x=e+l*c+o*u-a*h,this.y=i+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,i=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*i+r[8]*s,this.y=r[1]*e+r[5]*i+r[9]*s,this.z=r[2]*e+r[6]*i+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=Xt(this.x,t.x,e.x),this.y=Xt(this.y,t.y,e.y),this.z=Xt(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=Xt(this.x,t,e),this.y=Xt(this.y,t,e),this.z=Xt(this.z,t,e),this}clampLength(t,e){let i=this.length();return this.divideScalar(i||1).multiplyScalar(Xt(i,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,i){return this.x=t.x+(e.x-t.x)*i,this.y=t.y+(e.y-t.y)*i,this.z=t.z+(e.z-t.z)*i,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let i=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-i*l,this.z=i*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let i=t.dot(this)/e;return this.copy(t).multiplyScalar(i)}projectOnPlane(t){return Fh.copy(this).projectOnVector(t),this.sub(Fh)}reflect(t){return this.sub(Fh.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let i=this.dot(t)/e;return Math.acos(Xt(i,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,i=this.y-t.y,s=this.z-t.z;return e*e+i*i+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,i){let s=Math.sin(e)*t;return this.x=s*Math.sin(i),this.y=Math.cos(e)*t,this.z=s*Math.cos(i),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,i){return this.x=t*Math.sin(e),this.y=i,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),i=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=i,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,i=Math.sqrt(1-e*e);return this.x=i*Math.cos(t),this.y=e,this.z=i*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Fh=new C,Df=new Qe,Ut=class{static{this.prototype.isMatrix3=!0}constructor(t,e,i,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,i,s,r,o,a,l,c)}set(t,e,i,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=i,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,i=t.elements;return e[0]=i[0],e[1]=i[1],e[2]=i[2],e[3]=i[3],e[4]=i[4],e[5]=i[5],e[6]=i[6],e[7]=i[7],e[8]=i[8],this}extractBasis(t,e,i){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),i.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let i=t.elements,s=e.elements,r=this.elements,o=i[0],a=i[3],l=i[6],c=i[1],h=i[4],u=i[7],d=i[2],f=i[5],p=i[8],x=s[0],m=s[3],g=s[6],v=s[1],M=s[4],S=s[7],T=s[2],A=s[5],y=s[8];return r[0]=o*x+a*v+l*T,r[3]=o*m+a*M+l*A,r[6]=o*g+a*S+l*y,r[1]=c*x+h*v+u*T,r[4]=c*m+h*M+u*A,r[7]=c*g+h*S+u*y,r[2]=d*x+f*v+p*T,r[5]=d*m+f*M+p*A,r[8]=d*g+f*S+p*y,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],i=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-i*r*h+i*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],i=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=h*o-a*c,d=a*l-h*r,f=c*r-o*l,p=e*u+i*d+s*f;if(p===0)return this.set(0,0,0,0,0,0,0,0,0);let x=1/p;return t[0]=u*x,t[1]=(s*c-h*i)*x,t[2]=(a*i-s*o)*x,t[3]=d*x,t[4]=(h*e-s*l)*x,t[5]=(s*r-a*e)*x,t[6]=f*x,t[7]=(i*l-c*e)*x,t[8]=(o*e-i*r)*x,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,i,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(i*l,i*c,-i*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return Cr("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(kh.makeScale(t,e)),this}rotate(t){return Cr("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(kh.makeRotation(-t)),this}translate(t,e){return Cr("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(kh.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),i=Math.sin(t);return this.set(e,-i,0,i,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,i=t.elements;for(let s=0;s<9;s++)if(e[s]!==i[s])return!1;return!0}fromArray(t,e=0){for(let i=0;i<9;i++)this.elements[i]=t[i+e];return this}toArray(t=[],e=0){let i=this.elements;return t[e]=i[0],t[e+1]=i[1],t[e+2]=i[2],t[e+3]=i[3],t[e+4]=i[4],t[e+5]=i[5],t[e+6]=i[6],t[e+7]=i[7],t[e+8]=i[8],t}clone(){return new this.constructor().fromArray(this.elements)}},kh=new Ut,Nf=new Ut().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Of=new Ut().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function o_(){let n={enabled:!0,workingColorSpace:Dr,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===ne&&(s.r=li(s.r),s.g=li(s.g),s.b=li(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===ne&&(s.r=Ns(s.r),s.g=Ns(s.g),s.b=Ns(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===gi?Nr:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],i=[.3127,.329];return n.define({[Dr]:{primaries:t,whitePoint:i,transfer:Nr,toXYZ:Nf,fromXYZ:Of,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:fn},outputColorSpaceConfig:{drawingBufferColorSpace:fn}},[fn]:{primaries:t,whitePoint:i,transfer:ne,toXYZ:Nf,fromXYZ:Of,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:fn}}}),n}var Zt=o_();function li(n){return n<.04045?n*.0773993808:Math.pow(n*.9478672986+.0521327014,2.4)}function Ns(n){return n<.0031308?n*12.92:1.055*Math.pow(n,.41666)-.055}var _s,Va=class{static getDataURL(t,e="image/png"){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let i;if(t instanceof HTMLCanvasElement)i=t;else{_s===void 0&&(_s=Or("canvas")),_s.width=t.width,_s.height=t.height;let s=_s.getContext("2d");t instanceof ImageData?s.putImageData(t,0,0):s.drawImage(t,0,0,t.width,t.height),i=_s}return i.toDataURL(e)}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=Or("canvas");e.width=t.width,e.height=t.height;let i=e.getContext("2d");i.drawImage(t,0,0,t.width,t.height);let s=i.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=li(r[o]/255)*255;return i.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let i=0;i<e.length;i++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[i]=Math.floor(li(e[i]/255)*255):e[i]=li(e[i]);return{data:e,width:t.width,height:t.height}}else return Ct("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},a_=0,zs=class{constructor(t=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:a_++}),this.uuid=Ui(),this.data=t,this.dataReady=!0,this.version=0}getSize(t){let e=this.data;return typeof HTMLVideoElement<"u"&&e instanceof HTMLVideoElement?t.set(e.videoWidth,e.videoHeight,0):typeof VideoFrame<"u"&&e instanceof VideoFrame?t.set(e.displayWidth,e.displayHeight,0):e!==null?t.set(e.width||0,e.height||0,e.depth||0):t.set(0,0,0),t}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let i={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Bh(s[o].image)):r.push(Bh(s[o]))}else r=Bh(s);i.url=r}return e||(t.images[this.uuid]=i),i}};function Bh(n){return typeof HTMLImageElement<"u"&&n instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&n instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&n instanceof ImageBitmap?Va.getDataURL(n):n.data?{data:Array.from(n.data),width:n.width,height:n.height,type:n.data.constructor.name}:(Ct("Texture: Unable to serialize Texture."),{})}var l_=0,zh=new C,tn=class n extends Ln{constructor(t=n.DEFAULT_IMAGE,e=n.DEFAULT_MAPPING,i=Wn,s=Wn,r=je,o=pi,a=An,l=an,c=n.DEFAULT_ANISOTROPY,h=gi){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:l_++}),this.uuid=Ui(),this.name="",this.source=new zs(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=i,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new dt(0,0),this.repeat=new dt(1,1),this.center=new dt(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new Ut,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(t&&t.depth&&t.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(zh).x}get height(){return this.source.getSize(zh).y}get depth(){return this.source.getSize(zh).z}get image(){return this.source.data}set image(t){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.normalized=t.normalized,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.mipmapsAutoUpdate=t.mipmapsAutoUpdate,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.renderTarget=t.renderTarget,this.isRenderTargetTexture=t.isRenderTargetTexture,this.isPMREMTexture=t.isPMREMTexture,this.isArrayTexture=t.isArrayTexture,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}setValues(t){for(let e in t){let i=t[e];if(i===void 0){Ct(`Texture.setValues(): parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Ct(`Texture.setValues(): property '${e}' does not exist.`);continue}s&&i&&s.isVector2&&i.isVector2||s&&i&&s.isVector3&&i.isVector3||s&&i&&s.isMatrix3&&i.isMatrix3?s.copy(i):this[e]=i}}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let i={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(i.userData=this.userData),e||(t.textures[this.uuid]=i),i}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Uu)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case za:t.x=t.x-Math.floor(t.x);break;case Wn:t.x=t.x<0?0:1;break;case Ha:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case za:t.y=t.y-Math.floor(t.y);break;case Wn:t.y=t.y<0?0:1;break;case Ha:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};tn.DEFAULT_IMAGE=null;tn.DEFAULT_MAPPING=Uu;tn.DEFAULT_ANISOTROPY=1;var re=class{static{this.prototype.isVector4=!0}constructor(t=0,e=0,i=0,s=1){this.x=t,this.y=e,this.z=i,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,i,s){return this.x=t,this.y=e,this.z=i,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("THREE.Vector4: index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,i=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*i+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*i+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*i+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*i+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,i,s,r,l=t.elements,c=l[0],h=l[4],u=l[8],d=l[1],f=l[5],p=l[9],x=l[2],m=l[6],g=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-x)<.01&&Math.abs(p-m)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+x)<.1&&Math.abs(p+m)<.1&&Math.abs(c+f+g-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let M=(c+1)/2,S=(f+1)/2,T=(g+1)/2,A=(h+d)/4,y=(u+x)/4,w=(p+m)/4;return M>S&&M>T?M<.01?(i=0,s=.707106781,r=.707106781):(i=Math.sqrt(M),s=A/i,r=y/i):S>T?S<.01?(i=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),i=A/s,r=w/s):T<.01?(i=.707106781,s=.707106781,r=0):(r=Math.sqrt(T),i=y/r,s=w/r),this.set(i,s,r,e),this}let v=Math.sqrt((m-p)*(m-p)+(u-x)*(u-x)+(d-h)*(d-h));return Math.abs(v)<.001&&(v=1),this.x=(m-p)/v,this.y=(u-x)/v,this.z=(d-h)/v,this.w=Math.acos((c+f+g-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=Xt(this.x,t.x,e.x),this.y=Xt(this.y,t.y,e.y),this.z=Xt(this.z,t.z,e.z),this.w=Xt(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=Xt(this.x,t,e),this.y=Xt(this.y,t,e),this.z=Xt(this.z,t,e),this.w=Xt(this.w,t,e),this}clampLength(t,e){let i=this.length();return this.divideScalar(i||1).multiplyScalar(Xt(i,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,i){return this.x=t.x+(e.x-t.x)*i,this.y=t.y+(e.y-t.y)*i,this.z=t.z+(e.z-t.z)*i,this.w=t.w+(e.w-t.w)*i,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Wa=class extends Ln{constructor(t=1,e=1,i={}){super(),i=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:je,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},i),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=i.depth,this.scissor=new re(0,0,t,e),this.scissorTest=!1,this.viewport=new re(0,0,t,e),this.textures=[];let s=i.count;for(let r=0;r<s;r++)this.textures[r]=new tn({width:t,height:e,depth:i.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(i),this.depthBuffer=i.depthBuffer,this.stencilBuffer=i.stencilBuffer,this.resolveColorBuffer=i.resolveColorBuffer,this.resolveDepthBuffer=i.resolveDepthBuffer,this.resolveStencilBuffer=i.resolveStencilBuffer,this.storeMultisampledColorBuffer=i.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=i.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=i.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=i.depthTexture,this.samples=i.samples,this.multiview=i.multiview,this.useArrayDepthTexture=i.useArrayDepthTexture}_setTextureOptions(t={}){let e={minFilter:je,generateMipmaps:!1,flipY:!1,internalFormat:null};t.mapping!==void 0&&(e.mapping=t.mapping),t.wrapS!==void 0&&(e.wrapS=t.wrapS),t.wrapT!==void 0&&(e.wrapT=t.wrapT),t.wrapR!==void 0&&(e.wrapR=t.wrapR),t.magFilter!==void 0&&(e.magFilter=t.magFilter),t.minFilter!==void 0&&(e.minFilter=t.minFilter),t.format!==void 0&&(e.format=t.format),t.type!==void 0&&(e.type=t.type),t.anisotropy!==void 0&&(e.anisotropy=t.anisotropy),t.colorSpace!==void 0&&(e.colorSpace=t.colorSpace),t.flipY!==void 0&&(e.flipY=t.flipY),t.generateMipmaps!==void 0&&(e.generateMipmaps=t.generateMipmaps),t.mipmapsAutoUpdate!==void 0&&(e.mipmapsAutoUpdate=t.mipmapsAutoUpdate),t.internalFormat!==void 0&&(e.internalFormat=t.internalFormat);for(let i=0;i<this.textures.length;i++)this.textures[i].setValues(e)}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}set depthTexture(t){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),t!==null&&t.renderTarget===null&&(t.renderTarget=this),this._depthTexture=t}get depthTexture(){return this._depthTexture}setSize(t,e,i=1){if(this.width!==t||this.height!==e||this.depth!==i){this.width=t,this.height=e,this.depth=i;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=i,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let e=0,i=t.textures.length;e<i;e++){this.textures[e]=t.textures[e].clone(),this.textures[e].isRenderTargetTexture=!0,this.textures[e].renderTarget=this;let s=Object.assign({},t.textures[e].image);this.textures[e].source=new zs(s)}if(this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveColorBuffer=t.resolveColorBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,this.storeMultisampledColorBuffer=t.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=t.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=t.storeMultisampledStencilBuffer,t.depthTexture!==null)if(t.depthTexture.renderTarget===t){let e=t.depthTexture.clone();e.renderTarget=null,this.depthTexture=e}else this.depthTexture=t.depthTexture;else this.depthTexture=null;return this.samples=t.samples,this.multiview=t.multiview,this.useArrayDepthTexture=t.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},pn=class extends Wa{constructor(t=1,e=1,i={}){super(t,e,i),this.isWebGLRenderTarget=!0}},Ur=class extends tn{constructor(t=null,e=1,i=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:i,depth:s},this.magFilter=ze,this.minFilter=ze,this.wrapR=Wn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var Xa=class extends tn{constructor(t=null,e=1,i=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:i,depth:s},this.magFilter=ze,this.minFilter=ze,this.wrapR=Wn,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(t){return super.copy(t),this.wrapR=t.wrapR,this}};var kt=class n{static{this.prototype.isMatrix4=!0}constructor(t,e,i,s,r,o,a,l,c,h,u,d,f,p,x,m){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,i,s,r,o,a,l,c,h,u,d,f,p,x,m)}set(t,e,i,s,r,o,a,l,c,h,u,d,f,p,x,m){let g=this.elements;return g[0]=t,g[4]=e,g[8]=i,g[12]=s,g[1]=r,g[5]=o,g[9]=a,g[13]=l,g[2]=c,g[6]=h,g[10]=u,g[14]=d,g[3]=f,g[7]=p,g[11]=x,g[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new n().fromArray(this.elements)}copy(t){let e=this.elements,i=t.elements;return e[0]=i[0],e[1]=i[1],e[2]=i[2],e[3]=i[3],e[4]=i[4],e[5]=i[5],e[6]=i[6],e[7]=i[7],e[8]=i[8],e[9]=i[9],e[10]=i[10],e[11]=i[11],e[12]=i[12],e[13]=i[13],e[14]=i[14],e[15]=i[15],this}copyPosition(t){let e=this.elements,i=t.elements;return e[12]=i[12],e[13]=i[13],e[14]=i[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,i){return this.determinantAffine()===0?(t.set(1,0,0),e.set(0,1,0),i.set(0,0,1),this):(t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),i.setFromMatrixColumn(this,2),this)}makeBasis(t,e,i){return this.set(t.x,e.x,i.x,0,t.y,e.y,i.y,0,t.z,e.z,i.z,0,0,0,0,1),this}extractRotation(t){if(t.determinantAffine()===0)return this.identity();let e=this.elements,i=t.elements,s=1/vs.setFromMatrixColumn(t,0).length(),r=1/vs.setFromMatrixColumn(t,1).length(),o=1/vs.setFromMatrixColumn(t,2).length();return e[0]=i[0]*s,e[1]=i[1]*s,e[2]=i[2]*s,e[3]=0,e[4]=i[4]*r,e[5]=i[5]*r,e[6]=i[6]*r,e[7]=0,e[8]=i[8]*o,e[9]=i[9]*o,e[10]=i[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,i=t.x,s=t.y,r=t.z,o=Math.cos(i),a=Math.sin(i),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(t.order==="XYZ"){let d=o*h,f=o*u,p=a*h,x=a*u;e[0]=l*h,e[4]=-l*u,e[8]=c,e[1]=f+p*c,e[5]=d-x*c,e[9]=-a*l,e[2]=x-d*c,e[6]=p+f*c,e[10]=o*l}else if(t.order==="YXZ"){let d=l*h,f=l*u,p=c*h,x=c*u;e[0]=d+x*a,e[4]=p*a-f,e[8]=o*c,e[1]=o*u,e[5]=o*h,e[9]=-a,e[2]=f*a-p,e[6]=x+d*a,e[10]=o*l}else if(t.order==="ZXY"){let d=l*h,f=l*u,p=c*h,x=c*u;e[0]=d-x*a,e[4]=-o*u,e[8]=p+f*a,e[1]=f+p*a,e[5]=o*h,e[9]=x-d*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let d=o*h,f=o*u,p=a*h,x=a*u;e[0]=l*h,e[4]=p*c-f,e[8]=d*c+x,e[1]=l*u,e[5]=x*c+d,e[9]=f*c-p,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let d=o*l,f=o*c,p=a*l,x=a*c;e[0]=l*h,e[4]=x-d*u,e[8]=p*u+f,e[1]=u,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=f*u+p,e[10]=d-x*u}else if(t.order==="XZY"){let d=o*l,f=o*c,p=a*l,x=a*c;e[0]=l*h,e[4]=-u,e[8]=c*h,e[1]=d*u+x,e[5]=o*h,e[9]=f*u-p,e[2]=p*u-f,e[6]=a*h,e[10]=x*u+d}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(c_,t,h_)}lookAt(t,e,i){let s=this.elements;return un.subVectors(t,e),un.lengthSq()===0&&(un.z=1),un.normalize(),wi.crossVectors(i,un),wi.lengthSq()===0&&(Math.abs(i.z)===1?un.x+=1e-4:un.z+=1e-4,un.normalize(),wi.crossVectors(i,un)),wi.normalize(),ea.crossVectors(un,wi),s[0]=wi.x,s[4]=ea.x,s[8]=un.x,s[1]=wi.y,s[5]=ea.y,s[9]=un.y,s[2]=wi.z,s[6]=ea.z,s[10]=un.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let i=t.elements,s=e.elements,r=this.elements,o=i[0],a=i[4],l=i[8],c=i[12],h=i[1],u=i[5],d=i[9],f=i[13],p=i[2],x=i[6],m=i[10],g=i[14],v=i[3],M=i[7],S=i[11],T=i[15],A=s[0],y=s[4],w=s[8],L=s[12],I=s[1],U=s[5],B=s[9],W=s[13],D=s[2],V=s[6],q=s[10],G=s[14],nt=s[3],$=s[7],Q=s[11],tt=s[15];return r[0]=o*A+a*I+l*D+c*nt,r[4]=o*y+a*U+l*V+c*$,r[8]=o*w+a*B+l*q+c*Q,r[12]=o*L+a*W+l*G+c*tt,r[1]=h*A+u*I+d*D+f*nt,r[5]=h*y+u*U+d*V+f*$,r[9]=h*w+u*B+d*q+f*Q,r[13]=h*L+u*W+d*G+f*tt,r[2]=p*A+x*I+m*D+g*nt,r[6]=p*y+x*U+m*V+g*$,r[10]=p*w+x*B+m*q+g*Q,r[14]=p*L+x*W+m*G+g*tt,r[3]=v*A+M*I+S*D+T*nt,r[7]=v*y+M*U+S*V+T*$,r[11]=v*w+M*B+S*q+T*Q,r[15]=v*L+M*W+S*G+T*tt,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],i=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],u=t[6],d=t[10],f=t[14],p=t[3],x=t[7],m=t[11],g=t[15],v=l*f-c*d,M=a*f-c*u,S=a*d-l*u,T=o*f-c*h,A=o*d-l*h,y=o*u-a*h;return e*(x*v-m*M+g*S)-i*(p*v-m*T+g*A)+s*(p*M-x*T+g*y)-r*(p*S-x*A+m*y)}determinantAffine(){let t=this.elements,e=t[0],i=t[4],s=t[8],r=t[1],o=t[5],a=t[9],l=t[2],c=t[6],h=t[10];return e*(o*h-a*c)-i*(r*h-a*l)+s*(r*c-o*l)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,i){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=i),this}invert(){let t=this.elements,e=t[0],i=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],u=t[9],d=t[10],f=t[11],p=t[12],x=t[13],m=t[14],g=t[15],v=e*a-i*o,M=e*l-s*o,S=e*c-r*o,T=i*l-s*a,A=i*c-r*a,y=s*c-r*l,w=h*x-u*p,L=h*m-d*p,I=h*g-f*p,U=u*m-d*x,B=u*g-f*x,W=d*g-f*m,D=v*W-M*B+S*U+T*I-A*L+y*w;if(D===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let V=1/D;return t[0]=(a*W-l*B+c*U)*V,t[1]=(s*B-i*W-r*U)*V,t[2]=(x*y-m*A+g*T)*V,t[3]=(d*A-u*y-f*T)*V,t[4]=(l*I-o*W-c*L)*V,t[5]=(e*W-s*I+r*L)*V,t[6]=(m*S-p*y-g*M)*V,t[7]=(h*y-d*S+f*M)*V,t[8]=(o*B-a*I+c*w)*V,t[9]=(i*I-e*B-r*w)*V,t[10]=(p*A-x*S+g*v)*V,t[11]=(u*S-h*A-f*v)*V,t[12]=(a*L-o*U-l*w)*V,t[13]=(e*U-i*L+s*w)*V,t[14]=(x*M-p*T-m*v)*V,t[15]=(h*T-u*M+d*v)*V,this}scale(t){let e=this.elements,i=t.x,s=t.y,r=t.z;return e[0]*=i,e[4]*=s,e[8]*=r,e[1]*=i,e[5]*=s,e[9]*=r,e[2]*=i,e[6]*=s,e[10]*=r,e[3]*=i,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],i=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,i,s))}makeTranslation(t,e,i){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,i,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),i=Math.sin(t);return this.set(1,0,0,0,0,e,-i,0,0,i,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),i=Math.sin(t);return this.set(e,0,i,0,0,1,0,0,-i,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),i=Math.sin(t);return this.set(e,-i,0,0,i,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let i=Math.cos(e),s=Math.sin(e),r=1-i,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+i,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+i,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+i,0,0,0,0,1),this}makeScale(t,e,i){return this.set(t,0,0,0,0,e,0,0,0,0,i,0,0,0,0,1),this}makeShear(t,e,i,s,r,o){return this.set(1,i,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,i){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,u=a+a,d=r*c,f=r*h,p=r*u,x=o*h,m=o*u,g=a*u,v=l*c,M=l*h,S=l*u,T=i.x,A=i.y,y=i.z;return s[0]=(1-(x+g))*T,s[1]=(f+S)*T,s[2]=(p-M)*T,s[3]=0,s[4]=(f-S)*A,s[5]=(1-(d+g))*A,s[6]=(m+v)*A,s[7]=0,s[8]=(p+M)*y,s[9]=(m-v)*y,s[10]=(1-(d+x))*y,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,i){let s=this.elements;t.x=s[12],t.y=s[13],t.z=s[14];let r=this.determinantAffine();if(r===0)return i.set(1,1,1),e.identity(),this;let o=vs.set(s[0],s[1],s[2]).length(),a=vs.set(s[4],s[5],s[6]).length(),l=vs.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Pn.copy(this);let c=1/o,h=1/a,u=1/l;return Pn.elements[0]*=c,Pn.elements[1]*=c,Pn.elements[2]*=c,Pn.elements[4]*=h,Pn.elements[5]*=h,Pn.elements[6]*=h,Pn.elements[8]*=u,Pn.elements[9]*=u,Pn.elements[10]*=u,e.setFromRotationMatrix(Pn),i.x=o,i.y=a,i.z=l,this}makePerspective(t,e,i,s,r,o,a=wn,l=!1){let c=this.elements,h=2*r/(e-t),u=2*r/(i-s),d=(e+t)/(e-t),f=(i+s)/(i-s),p,x;if(l)p=r/(o-r),x=o*r/(o-r);else if(a===wn)p=-(o+r)/(o-r),x=-2*o*r/(o-r);else if(a===Fs)p=-o/(o-r),x=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=p,c[14]=x,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(t,e,i,s,r,o,a=wn,l=!1){let c=this.elements,h=2/(e-t),u=2/(i-s),d=-(e+t)/(e-t),f=-(i+s)/(i-s),p,x;if(l)p=1/(o-r),x=o/(o-r);else if(a===wn)p=-2/(o-r),x=-(o+r)/(o-r);else if(a===Fs)p=-1/(o-r),x=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=p,c[14]=x,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(t){let e=this.elements,i=t.elements;for(let s=0;s<16;s++)if(e[s]!==i[s])return!1;return!0}fromArray(t,e=0){for(let i=0;i<16;i++)this.elements[i]=t[i+e];return this}toArray(t=[],e=0){let i=this.elements;return t[e]=i[0],t[e+1]=i[1],t[e+2]=i[2],t[e+3]=i[3],t[e+4]=i[4],t[e+5]=i[5],t[e+6]=i[6],t[e+7]=i[7],t[e+8]=i[8],t[e+9]=i[9],t[e+10]=i[10],t[e+11]=i[11],t[e+12]=i[12],t[e+13]=i[13],t[e+14]=i[14],t[e+15]=i[15],t}},vs=new C,Pn=new kt,c_=new C(0,0,0),h_=new C(1,1,1),wi=new C,ea=new C,un=new C,Uf=new kt,Ff=new Qe,hi=class n{constructor(t=0,e=0,i=0,s=n.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=i,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,i,s=this._order){return this._x=t,this._y=e,this._z=i,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,i=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],d=s[6],f=s[10];switch(e){case"XYZ":this._y=Math.asin(Xt(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-Xt(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(Xt(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-Xt(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(Xt(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-Xt(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:Ct("Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,i===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,i){return Uf.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Uf,e,i)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return Ff.setFromEuler(this),this.setFromQuaternion(Ff,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};hi.DEFAULT_ORDER="XYZ";var Hs=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},u_=0,kf=new C,bs=new Qe,ni=new kt,na=new C,_r=new C,d_=new C,f_=new Qe,Bf=new C(1,0,0),zf=new C(0,1,0),Hf=new C(0,0,1),Gf={type:"added"},p_={type:"removed"},Ss={type:"childadded",child:null},Hh={type:"childremoved",child:null},Pe=class n extends Ln{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:u_++}),this.uuid=Ui(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=n.DEFAULT_UP.clone();let t=new C,e=new hi,i=new Qe,s=new C(1,1,1);function r(){i.setFromEuler(e,!1)}function o(){e.setFromQuaternion(i,void 0,!1)}e._onChange(r),i._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:i},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new kt},normalMatrix:{value:new Ut}}),this.matrix=new kt,this.matrixWorld=new kt,this.matrixAutoUpdate=n.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=n.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Hs,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return bs.setFromAxisAngle(t,e),this.quaternion.multiply(bs),this}rotateOnWorldAxis(t,e){return bs.setFromAxisAngle(t,e),this.quaternion.premultiply(bs),this}rotateX(t){return this.rotateOnAxis(Bf,t)}rotateY(t){return this.rotateOnAxis(zf,t)}rotateZ(t){return this.rotateOnAxis(Hf,t)}translateOnAxis(t,e){return kf.copy(t).applyQuaternion(this.quaternion),this.position.add(kf.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(Bf,t)}translateY(t){return this.translateOnAxis(zf,t)}translateZ(t){return this.translateOnAxis(Hf,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ni.copy(this.matrixWorld).invert())}lookAt(t,e,i){t.isVector3?na.copy(t):na.set(t,e,i);let s=this.parent;this.updateWorldMatrix(!0,!1),_r.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ni.lookAt(_r,na,this.up):ni.lookAt(na,_r,this.up),this.quaternion.setFromRotationMatrix(ni),s&&(ni.extractRotation(s.matrixWorld),bs.setFromRotationMatrix(ni),this.quaternion.premultiply(bs.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(Ot("Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Gf),Ss.child=t,this.dispatchEvent(Ss),Ss.child=null):Ot("Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let i=0;i<arguments.length;i++)this.remove(arguments[i]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(p_),Hh.child=t,this.dispatchEvent(Hh),Hh.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ni.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ni.multiply(t.parent.matrixWorld)),t.applyMatrix4(ni),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Gf),Ss.child=t,this.dispatchEvent(Ss),Ss.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let i=0,s=this.children.length;i<s;i++){let o=this.children[i].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,i=[]){this[t]===e&&i.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,i);return i}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(_r,t,d_),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(_r,f_,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(t){t(this);let e=this.children;for(let i=0,s=e.length;i<s;i++)e[i].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let i=0,s=e.length;i<s;i++)e[i].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let t=this.pivot;if(t!==null){let e=t.x,i=t.y,s=t.z,r=this.matrix.elements;r[12]+=e-r[0]*e-r[4]*i-r[8]*s,r[13]+=i-r[1]*e-r[5]*i-r[9]*s,r[14]+=s-r[2]*e-r[6]*i-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let i=0,s=e.length;i<s;i++)e[i].updateMatrixWorld(t)}updateWorldMatrix(t,e,i=!1){let s=this.parent;if(t===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||i)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,i=!0),e===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,i)}}toJSON(t){let e=t===void 0||typeof t=="string",i={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},i.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(t),s.indirectTexture=this._indirectTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(t.shapes,u)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),u=o(t.shapes),d=o(t.skeletons),f=o(t.animations),p=o(t.nodes);a.length>0&&(i.geometries=a),l.length>0&&(i.materials=l),c.length>0&&(i.textures=c),h.length>0&&(i.images=h),u.length>0&&(i.shapes=u),d.length>0&&(i.skeletons=d),f.length>0&&(i.animations=f),p.length>0&&(i.nodes=p)}return i.object=s,i;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.pivot=t.pivot!==null?t.pivot.clone():null,this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.static=t.static,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let i=0;i<t.children.length;i++){let s=t.children[i];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};Pe.DEFAULT_UP=new C(0,1,0);Pe.DEFAULT_MATRIX_AUTO_UPDATE=!0;Pe.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var ye=class extends Pe{constructor(){super(),this.isGroup=!0,this.type="Group"}},m_={type:"move"},Gs=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new ye,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new ye,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new C,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new C),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new ye,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new C,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new C,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let i of t.hand.values())this._getHandJoint(e,i)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,i){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let x of t.hand.values()){let m=e.getJointPose(x,i),g=this._getHandJoint(c,x);m!==null&&(g.matrix.fromArray(m.transform.matrix),g.matrix.decompose(g.position,g.quaternion,g.scale),g.matrixWorldNeedsUpdate=!0,g.jointRadius=m.radius),g.visible=m!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),f=.02,p=.005;c.inputState.pinching&&d>f+p?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&d<=f-p&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,i),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:t,target:this})));a!==null&&(s=e.getPose(t.targetRaySpace,i),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(m_)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let i=new ye;i.matrixAutoUpdate=!1,i.visible=!1,t.joints[e.jointName]=i,t.add(i)}return t.joints[e.jointName]}},lm={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},Ei={h:0,s:0,l:0},ia={h:0,s:0,l:0};function Gh(n,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?n+(t-n)*6*e:e<1/2?t:e<2/3?n+(t-n)*6*(2/3-e):n}var Rt=class{constructor(t,e,i){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,i)}set(t,e,i){if(e===void 0&&i===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,i);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=fn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,Zt.colorSpaceToWorking(this,e),this}setRGB(t,e,i,s=Zt.workingColorSpace){return this.r=t,this.g=e,this.b=i,Zt.colorSpaceToWorking(this,s),this}setHSL(t,e,i,s=Zt.workingColorSpace){if(t=Yu(t,1),e=Xt(e,0,1),i=Xt(i,0,1),e===0)this.r=this.g=this.b=i;else{let r=i<=.5?i*(1+e):i+e-i*e,o=2*i-r;this.r=Gh(o,r,t+1/3),this.g=Gh(o,r,t),this.b=Gh(o,r,t-1/3)}return Zt.colorSpaceToWorking(this,s),this}setStyle(t,e=fn){function i(r){r!==void 0&&parseFloat(r)<1&&Ct("Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,e);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return i(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:Ct("Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);Ct("Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=fn){let i=lm[t.toLowerCase()];return i!==void 0?this.setHex(i,e):Ct("Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=li(t.r),this.g=li(t.g),this.b=li(t.b),this}copyLinearToSRGB(t){return this.r=Ns(t.r),this.g=Ns(t.g),this.b=Ns(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=fn){return Zt.workingToColorSpace(Ye.copy(this),t),Math.round(Xt(Ye.r*255,0,255))*65536+Math.round(Xt(Ye.g*255,0,255))*256+Math.round(Xt(Ye.b*255,0,255))}getHexString(t=fn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=Zt.workingColorSpace){Zt.workingToColorSpace(Ye.copy(this),e);let i=Ye.r,s=Ye.g,r=Ye.b,o=Math.max(i,s,r),a=Math.min(i,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case i:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-i)/u+2;break;case r:l=(i-s)/u+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=Zt.workingColorSpace){return Zt.workingToColorSpace(Ye.copy(this),e),t.r=Ye.r,t.g=Ye.g,t.b=Ye.b,t}getStyle(t=fn){Zt.workingToColorSpace(Ye.copy(this),t);let e=Ye.r,i=Ye.g,s=Ye.b;return t!==fn?`color(${t} ${e.toFixed(3)} ${i.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(i*255)},${Math.round(s*255)})`}offsetHSL(t,e,i){return this.getHSL(Ei),this.setHSL(Ei.h+t,Ei.s+e,Ei.l+i)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,i){return this.r=t.r+(e.r-t.r)*i,this.g=t.g+(e.g-t.g)*i,this.b=t.b+(e.b-t.b)*i,this}lerpHSL(t,e){this.getHSL(Ei),t.getHSL(ia);let i=Pr(Ei.h,ia.h,e),s=Pr(Ei.s,ia.s,e),r=Pr(Ei.l,ia.l,e);return this.setHSL(i,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,i=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*i+r[6]*s,this.g=r[1]*e+r[4]*i+r[7]*s,this.b=r[2]*e+r[5]*i+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Ye=new Rt;Rt.NAMES=lm;var Fr=class extends Pe{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new hi,this.environmentIntensity=1,this.environmentRotation=new hi,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),this.background=t.background!==null?t.background.clone():null,this.environment=t.environment!==null?t.environment.clone():null,this.fog=t.fog!==null?t.fog.clone():null,this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),this.overrideMaterial=t.overrideMaterial!==null?t.overrideMaterial.clone():null,this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),e.object.backgroundBlurriness=this.backgroundBlurriness,e.object.backgroundIntensity=this.backgroundIntensity,e.object.backgroundRotation=this.backgroundRotation.toArray(),e.object.environmentIntensity=this.environmentIntensity,e.object.environmentRotation=this.environmentRotation.toArray(),e}},Rn=new C,ii=new C,Vh=new C,si=new C,Ms=new C,ws=new C,Vf=new C,Wh=new C,Xh=new C,$h=new C,qh=new re,Yh=new re,Kh=new re,ai=class n{constructor(t=new C,e=new C,i=new C){this.a=t,this.b=e,this.c=i}static getNormal(t,e,i,s){s.subVectors(i,e),Rn.subVectors(t,e),s.cross(Rn);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,i,s,r){Rn.subVectors(s,e),ii.subVectors(i,e),Vh.subVectors(t,e);let o=Rn.dot(Rn),a=Rn.dot(ii),l=Rn.dot(Vh),c=ii.dot(ii),h=ii.dot(Vh),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,f=(c*l-a*h)*d,p=(o*h-a*l)*d;return r.set(1-f-p,p,f)}static containsPoint(t,e,i,s){return this.getBarycoord(t,e,i,s,si)===null?!1:si.x>=0&&si.y>=0&&si.x+si.y<=1}static getInterpolation(t,e,i,s,r,o,a,l){return this.getBarycoord(t,e,i,s,si)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,si.x),l.addScaledVector(o,si.y),l.addScaledVector(a,si.z),l)}static getInterpolatedAttribute(t,e,i,s,r,o){return qh.setScalar(0),Yh.setScalar(0),Kh.setScalar(0),qh.fromBufferAttribute(t,e),Yh.fromBufferAttribute(t,i),Kh.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(qh,r.x),o.addScaledVector(Yh,r.y),o.addScaledVector(Kh,r.z),o}static isFrontFacing(t,e,i,s){return Rn.subVectors(i,e),ii.subVectors(t,e),Rn.cross(ii).dot(s)<0}set(t,e,i){return this.a.copy(t),this.b.copy(e),this.c.copy(i),this}setFromPointsAndIndices(t,e,i,s){return this.a.copy(t[e]),this.b.copy(t[i]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,i,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,i),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Rn.subVectors(this.c,this.b),ii.subVectors(this.a,this.b),Rn.cross(ii).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return n.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return n.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,i,s,r){return n.getInterpolation(t,this.a,this.b,this.c,e,i,s,r)}containsPoint(t){return n.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return n.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let i=this.a,s=this.b,r=this.c,o,a;Ms.subVectors(s,i),ws.subVectors(r,i),Wh.subVectors(t,i);let l=Ms.dot(Wh),c=ws.dot(Wh);if(l<=0&&c<=0)return e.copy(i);Xh.subVectors(t,s);let h=Ms.dot(Xh),u=ws.dot(Xh);if(h>=0&&u<=h)return e.copy(s);let d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),e.copy(i).addScaledVector(Ms,o);$h.subVectors(t,r);let f=Ms.dot($h),p=ws.dot($h);if(p>=0&&f<=p)return e.copy(r);let x=f*c-l*p;if(x<=0&&c>=0&&p<=0)return a=c/(c-p),e.copy(i).addScaledVector(ws,a);let m=h*p-f*u;if(m<=0&&u-h>=0&&f-p>=0)return Vf.subVectors(r,s),a=(u-h)/(u-h+(f-p)),e.copy(s).addScaledVector(Vf,a);let g=1/(m+x+d);return o=x*g,a=d*g,e.copy(i).addScaledVector(Ms,o).addScaledVector(ws,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},en=class{constructor(t=new C(1/0,1/0,1/0),e=new C(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,i=t.length;e<i;e+=3)this.expandByPoint(In.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,i=t.count;e<i;e++)this.expandByPoint(In.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,i=t.length;e<i;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let i=In.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(i),this.max.copy(t).add(i),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let i=t.geometry;if(i!==void 0){let r=i.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0&&t.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,In):In.fromBufferAttribute(r,o),In.applyMatrix4(t.matrixWorld),this.expandByPoint(In);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),sa.copy(t.boundingBox)):(i.boundingBox===null&&i.computeBoundingBox(),sa.copy(i.boundingBox)),sa.applyMatrix4(t.matrixWorld),this.union(sa)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,In),In.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,i;return t.normal.x>0?(e=t.normal.x*this.min.x,i=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,i=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,i+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,i+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,i+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,i+=t.normal.z*this.min.z),e<=-t.constant&&i>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(vr),ra.subVectors(this.max,vr),Es.subVectors(t.a,vr),Ts.subVectors(t.b,vr),As.subVectors(t.c,vr),Ti.subVectors(Ts,Es),Ai.subVectors(As,Ts),qi.subVectors(Es,As);let e=[0,-Ti.z,Ti.y,0,-Ai.z,Ai.y,0,-qi.z,qi.y,Ti.z,0,-Ti.x,Ai.z,0,-Ai.x,qi.z,0,-qi.x,-Ti.y,Ti.x,0,-Ai.y,Ai.x,0,-qi.y,qi.x,0];return!Zh(e,Es,Ts,As,ra)||(e=[1,0,0,0,1,0,0,0,1],!Zh(e,Es,Ts,As,ra))?!1:(oa.crossVectors(Ti,Ai),e=[oa.x,oa.y,oa.z],Zh(e,Es,Ts,As,ra))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,In).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(In).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(ri[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),ri[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),ri[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),ri[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),ri[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),ri[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),ri[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),ri[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(ri),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(t){return this.min.fromArray(t.min),this.max.fromArray(t.max),this}},ri=[new C,new C,new C,new C,new C,new C,new C,new C],In=new C,sa=new en,Es=new C,Ts=new C,As=new C,Ti=new C,Ai=new C,qi=new C,vr=new C,ra=new C,oa=new C,Yi=new C;function Zh(n,t,e,i,s){for(let r=0,o=n.length-3;r<=o;r+=3){Yi.fromArray(n,r);let a=s.x*Math.abs(Yi.x)+s.y*Math.abs(Yi.y)+s.z*Math.abs(Yi.z),l=t.dot(Yi),c=e.dot(Yi),h=i.dot(Yi);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var Ee=new C,aa=new dt,g_=0,Qt=class extends Ln{constructor(t,e,i=!1){if(super(),Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:g_++}),this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=i,this.usage=em,this.updateRanges=[],this.gpuType=yn,this.version=0,this._normalizationScale=t!==void 0?Zu(t):void 0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this._normalizationScale=t._normalizationScale,this}copyAt(t,e,i){t*=this.itemSize,i*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[i+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,i=this.count;e<i;e++)aa.fromBufferAttribute(this,e),aa.applyMatrix3(t),this.setXY(e,aa.x,aa.y);else if(this.itemSize===3)for(let e=0,i=this.count;e<i;e++)Ee.fromBufferAttribute(this,e),Ee.applyMatrix3(t),this.setXYZ(e,Ee.x,Ee.y,Ee.z);return this}applyMatrix4(t){for(let e=0,i=this.count;e<i;e++)Ee.fromBufferAttribute(this,e),Ee.applyMatrix4(t),this.setXYZ(e,Ee.x,Ee.y,Ee.z);return this}applyNormalMatrix(t){for(let e=0,i=this.count;e<i;e++)Ee.fromBufferAttribute(this,e),Ee.applyNormalMatrix(t),this.setXYZ(e,Ee.x,Ee.y,Ee.z);return this}transformDirection(t){for(let e=0,i=this.count;e<i;e++)Ee.fromBufferAttribute(this,e),Ee.transformDirection(t),this.setXYZ(e,Ee.x,Ee.y,Ee.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let i=this.array[t*this.itemSize+e];return this.normalized&&(i=this._denormalize(i)),i}setComponent(t,e,i){return this.normalized&&(i=this._normalize(i)),this.array[t*this.itemSize+e]=i,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=this._denormalize(e)),e}setX(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=this._denormalize(e)),e}setY(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=this._denormalize(e)),e}setZ(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=this._denormalize(e)),e}setW(t,e){return this.normalized&&(e=this._normalize(e)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,i){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),i=this._normalize(i)),this.array[t+0]=e,this.array[t+1]=i,this}setXYZ(t,e,i,s){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),i=this._normalize(i),s=this._normalize(s)),this.array[t+0]=e,this.array[t+1]=i,this.array[t+2]=s,this}setXYZW(t,e,i,s,r){return t*=this.itemSize,this.normalized&&(e=this._normalize(e),i=this._normalize(i),s=this._normalize(s),r=this._normalize(r)),this.array[t+0]=e,this.array[t+1]=i,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return t.name=this.name,t.usage=this.usage,t.gpuType=this.gpuType,t}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(t){let e=this._normalizationScale;return e!==void 0?Math.max(t/e,-1):om(t,this.array)}_normalize(t){let e=this._normalizationScale;return e!==void 0?Math.round(t*e):am(t,this.array)}};var kr=class extends Qt{constructor(t,e,i){super(new Uint16Array(t),e,i)}};var Br=class extends Qt{constructor(t,e,i){super(new Uint32Array(t),e,i)}};var te=class extends Qt{constructor(t,e,i){super(new Float32Array(t),e,i)}},y_=new en,br=new C,Jh=new C,Dn=class{constructor(t=new C,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let i=this.center;e!==void 0?i.copy(e):y_.setFromPoints(t).getCenter(i);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,i.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let i=this.center.distanceToSquared(t);return e.copy(t),i>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;br.subVectors(t,this.center);let e=br.lengthSq();if(e>this.radius*this.radius){let i=Math.sqrt(e),s=(i-this.radius)*.5;this.center.addScaledVector(br,s/i),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Jh.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(br.copy(t.center).add(Jh)),this.expandByPoint(br.copy(t.center).sub(Jh))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(t){return this.radius=t.radius,this.center.fromArray(t.center),this}},x_=0,Mn=new kt,jh=new Pe,Cs=new C,dn=new en,Sr=new en,Be=new C,oe=class n extends Ln{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:x_++}),this.uuid=Ui(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Vx(t)?Br:kr)(t,1):this.index=t,this}setIndirect(t,e=0){return this.indirect=t,this.indirectOffset=e,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,i=0){this.groups.push({start:t,count:e,materialIndex:i})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let i=this.attributes.normal;if(i!==void 0){let r=new Ut().getNormalMatrix(t);i.applyNormalMatrix(r),i.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(t){return Mn.makeRotationFromQuaternion(t),this.applyMatrix4(Mn),this}rotateX(t){return Mn.makeRotationX(t),this.applyMatrix4(Mn),this}rotateY(t){return Mn.makeRotationY(t),this.applyMatrix4(Mn),this}rotateZ(t){return Mn.makeRotationZ(t),this.applyMatrix4(Mn),this}translate(t,e,i){return Mn.makeTranslation(t,e,i),this.applyMatrix4(Mn),this}scale(t,e,i){return Mn.makeScale(t,e,i),this.applyMatrix4(Mn),this}lookAt(t){return jh.lookAt(t),jh.updateMatrix(),this.applyMatrix4(jh.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Cs).negate(),this.translate(Cs.x,Cs.y,Cs.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let i=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];i.push(o.x,o.y,o.z||0)}this.setAttribute("position",new te(i,3))}else{let i=Math.min(t.length,e.count);for(let s=0;s<i;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&Ct("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new en);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Ot("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new C(-1/0,-1/0,-1/0),new C(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let i=0,s=e.length;i<s;i++){let r=e[i];dn.setFromBufferAttribute(r),this.morphTargetsRelative?(Be.addVectors(this.boundingBox.min,dn.min),this.boundingBox.expandByPoint(Be),Be.addVectors(this.boundingBox.max,dn.max),this.boundingBox.expandByPoint(Be)):(this.boundingBox.expandByPoint(dn.min),this.boundingBox.expandByPoint(dn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Ot('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Dn);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){Ot("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new C,1/0);return}if(t){let i=this.boundingSphere.center;if(dn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Sr.setFromBufferAttribute(a),this.morphTargetsRelative?(Be.addVectors(dn.min,Sr.min),dn.expandByPoint(Be),Be.addVectors(dn.max,Sr.max),dn.expandByPoint(Be)):(dn.expandByPoint(Sr.min),dn.expandByPoint(Sr.max))}dn.getCenter(i);let s=0;for(let r=0,o=t.count;r<o;r++)Be.fromBufferAttribute(t,r),s=Math.max(s,i.distanceToSquared(Be));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Be.fromBufferAttribute(a,c),l&&(Cs.fromBufferAttribute(t,c),Be.add(Cs)),s=Math.max(s,i.distanceToSquared(Be))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Ot('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){Ot("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let i=e.position,s=e.normal,r=e.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==i.count)&&(o=new Qt(new Float32Array(4*i.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(i.count);for(let L=0;L<i.count;L++)a[L]=new C,l[L]=new C;let h=new C,u=new C,d=new C,f=new dt,p=new dt,x=new dt,m=new C,g=new C;function v(L,I,U){c[L]=c[I]=c[U]=1,h.fromBufferAttribute(i,L),u.fromBufferAttribute(i,I),d.fromBufferAttribute(i,U),f.fromBufferAttribute(r,L),p.fromBufferAttribute(r,I),x.fromBufferAttribute(r,U),u.sub(h),d.sub(h),p.sub(f),x.sub(f);let B=1/(p.x*x.y-x.x*p.y);isFinite(B)&&(m.copy(u).multiplyScalar(x.y).addScaledVector(d,-p.y).multiplyScalar(B),g.copy(d).multiplyScalar(p.x).addScaledVector(u,-x.x).multiplyScalar(B),a[L].add(m),a[I].add(m),a[U].add(m),l[L].add(g),l[I].add(g),l[U].add(g))}let M=this.groups;M.length===0&&(M=[{start:0,count:t.count}]);for(let L=0,I=M.length;L<I;++L){let U=M[L],B=U.start,W=U.count;for(let D=B,V=B+W;D<V;D+=3)v(t.getX(D+0),t.getX(D+1),t.getX(D+2))}let S=new C,T=new C,A=new C,y=new C;function w(L){A.fromBufferAttribute(s,L),y.copy(A);let I=a[L];S.copy(I),S.sub(A.multiplyScalar(A.dot(I))).normalize(),T.crossVectors(y,I);let B=T.dot(l[L])<0?-1:1;o.setXYZW(L,S.x,S.y,S.z,B)}for(let L=0,I=i.count;L<I;++L)c[L]&&w(L);this._transformed=!0}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let i=this.getAttribute("normal");if(i===void 0||i.count!==e.count)i=new Qt(new Float32Array(e.count*3),3),this.setAttribute("normal",i);else for(let d=0,f=i.count;d<f;d++)i.setXYZ(d,0,0,0);let s=new C,r=new C,o=new C,a=new C,l=new C,c=new C,h=new C,u=new C;if(t)for(let d=0,f=t.count;d<f;d+=3){let p=t.getX(d+0),x=t.getX(d+1),m=t.getX(d+2);s.fromBufferAttribute(e,p),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,m),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(i,p),l.fromBufferAttribute(i,x),c.fromBufferAttribute(i,m),a.add(h),l.add(h),c.add(h),i.setXYZ(p,a.x,a.y,a.z),i.setXYZ(x,l.x,l.y,l.z),i.setXYZ(m,c.x,c.y,c.z)}else for(let d=0,f=e.count;d<f;d+=3)s.fromBufferAttribute(e,d+0),r.fromBufferAttribute(e,d+1),o.fromBufferAttribute(e,d+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),i.setXYZ(d+0,h.x,h.y,h.z),i.setXYZ(d+1,h.x,h.y,h.z),i.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),i.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,i=t.count;e<i;e++)Be.fromBufferAttribute(t,e),Be.normalize(),t.setXYZ(e,Be.x,Be.y,Be.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,u=a.normalized,d=new c.constructor(l.length*h),f=0,p=0;for(let x=0,m=l.length;x<m;x++){a.isInterleavedBufferAttribute?f=l[x]*a.data.stride+a.offset:f=l[x]*h;for(let g=0;g<h;g++)d[p++]=c[f++]}return new Qt(d,h,u)}if(this.index===null)return Ct("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new n,i=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,i);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let d=c[h],f=t(d,i);l.push(f)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,t.name=this.name,Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let i=this.attributes;for(let l in i){let c=i[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){let f=c[u];h.push(f.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere=a.toJSON()),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let i=t.index;i!==null&&this.setIndex(i.clone());let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],u=r[c];for(let d=0,f=u.length;d<f;d++)h.push(u[d].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this._transformed=t._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}};var Qh=new C,__=new C,v_=new Ut,We=class{constructor(t=new C(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,i,s){return this.normal.set(t,e,i),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,i){let s=Qh.subVectors(i,e).cross(__.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e,i=!0){let s=t.delta(Qh),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let o=-(t.start.dot(this.normal)+this.constant)/r;return i===!0&&(o<0||o>1)?null:e.copy(t.start).addScaledVector(s,o)}intersectsLine(t){let e=this.distanceToPoint(t.start),i=this.distanceToPoint(t.end);return e<0&&i>0||i<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let i=e||v_.getNormalMatrix(t),s=this.coplanarPoint(Qh).applyMatrix4(t),r=this.normal.applyMatrix3(i).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(t){return this.normal.fromArray(t.normal),this.constant=t.constant,this}},b_=0,ui=class extends Ln{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:b_++}),this.uuid=Ui(),this.name="",this.type="Material",this.blending=Js,this.side=$n,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Au,this.blendDst=Cu,this.blendEquation=is,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Rt(0,0,0),this.blendAlpha=0,this.depthFunc=Us,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=Kp,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=La,this.stencilZFail=La,this.stencilZPass=La,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let i=t[e];if(i===void 0){Ct(`Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){Ct(`Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(i):s&&s.isVector2&&i&&i.isVector2||s&&s.isEuler&&i&&i.isEuler||s&&s.isVector3&&i&&i.isVector3?s.copy(i):this[e]=i}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let i={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};i.uuid=this.uuid,i.type=this.type,i.blending=this.blending,i.side=this.side,i.shadowSide=this.shadowSide,i.vertexColors=this.vertexColors,i.opacity=this.opacity,i.transparent=this.transparent,i.blendSrc=this.blendSrc,i.blendDst=this.blendDst,i.blendEquation=this.blendEquation,i.blendSrcAlpha=this.blendSrcAlpha,i.blendDstAlpha=this.blendDstAlpha,i.blendEquationAlpha=this.blendEquationAlpha,i.blendColor=this.blendColor.getHex(),i.blendAlpha=this.blendAlpha,i.depthFunc=this.depthFunc,i.depthTest=this.depthTest,i.depthWrite=this.depthWrite,i.colorWrite=this.colorWrite,i.clipIntersection=this.clipIntersection,i.clipShadows=this.clipShadows,i.stencilWriteMask=this.stencilWriteMask,i.stencilFunc=this.stencilFunc,i.stencilRef=this.stencilRef,i.stencilFuncMask=this.stencilFuncMask,i.stencilFail=this.stencilFail,i.stencilZFail=this.stencilZFail,i.stencilZPass=this.stencilZPass,i.stencilWrite=this.stencilWrite,i.polygonOffset=this.polygonOffset,i.polygonOffsetFactor=this.polygonOffsetFactor,i.polygonOffsetUnits=this.polygonOffsetUnits,i.dithering=this.dithering,i.alphaTest=this.alphaTest,i.alphaHash=this.alphaHash,i.alphaToCoverage=this.alphaToCoverage,i.premultipliedAlpha=this.premultipliedAlpha,i.forceSinglePass=this.forceSinglePass,i.allowOverride=this.allowOverride,i.visible=this.visible,i.toneMapped=this.toneMapped,i.name=this.name,this.color&&this.color.isColor&&(i.color=this.color.getHex()),this.roughness!==void 0&&(i.roughness=this.roughness),this.metalness!==void 0&&(i.metalness=this.metalness),this.sheen!==void 0&&(i.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(i.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(i.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(i.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(i.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(i.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(i.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(i.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(i.shininess=this.shininess),this.clearcoat!==void 0&&(i.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(i.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(i.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(i.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(t).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(i.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(i.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(i.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,i.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(i.sheenColorMap=this.sheenColorMap.toJSON(t).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(i.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(t).uuid),this.dispersion!==void 0&&(i.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(i.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(i.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(i.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(i.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(i.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(i.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(i.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(i.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(i.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(i.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(i.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(i.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(i.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(i.lightMap=this.lightMap.toJSON(t).uuid,i.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(i.aoMap=this.aoMap.toJSON(t).uuid,i.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(i.bumpMap=this.bumpMap.toJSON(t).uuid,i.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(i.normalMap=this.normalMap.toJSON(t).uuid,i.normalMapType=this.normalMapType,i.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(i.displacementMap=this.displacementMap.toJSON(t).uuid,i.displacementScale=this.displacementScale,i.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(i.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(i.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(i.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(i.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(i.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(i.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(i.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(i.combine=this.combine)),this.envMapRotation!==void 0&&(i.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(i.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(i.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(i.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(i.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(i.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(i.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(i.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(i.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&(i.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(i.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(i.size=this.size),this.sizeAttenuation!==void 0&&(i.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(i.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(i.rotation=this.rotation),this.depthPacking!==void 0&&(i.depthPacking=this.depthPacking),this.linewidth!==void 0&&(i.linewidth=this.linewidth),this.linecap!==void 0&&(i.linecap=this.linecap),this.linejoin!==void 0&&(i.linejoin=this.linejoin),this.dashSize!==void 0&&(i.dashSize=this.dashSize),this.gapSize!==void 0&&(i.gapSize=this.gapSize),this.scale!==void 0&&(i.scale=this.scale),this.wireframe!==void 0&&(i.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(i.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(i.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(i.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(i.flatShading=this.flatShading),this.fog!==void 0&&(i.fog=this.fog),Object.keys(this.userData).length>0&&(i.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(i.textures=r),o.length>0&&(i.images=o)}return i}fromJSON(t,e){if(t.uuid!==void 0&&(this.uuid=t.uuid),t.name!==void 0&&(this.name=t.name),t.color!==void 0&&this.color!==void 0&&this.color.setHex(t.color),t.roughness!==void 0&&(this.roughness=t.roughness),t.metalness!==void 0&&(this.metalness=t.metalness),t.sheen!==void 0&&(this.sheen=t.sheen),t.sheenColor!==void 0&&(this.sheenColor=new Rt().setHex(t.sheenColor)),t.sheenRoughness!==void 0&&(this.sheenRoughness=t.sheenRoughness),t.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(t.emissive),t.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(t.specular),t.specularIntensity!==void 0&&(this.specularIntensity=t.specularIntensity),t.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(t.specularColor),t.shininess!==void 0&&(this.shininess=t.shininess),t.clearcoat!==void 0&&(this.clearcoat=t.clearcoat),t.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=t.clearcoatRoughness),t.diffuseRoughness!==void 0&&(this.diffuseRoughness=t.diffuseRoughness),t.dispersion!==void 0&&(this.dispersion=t.dispersion),t.retroreflectivity!==void 0&&(this.retroreflectivity=t.retroreflectivity),t.iridescence!==void 0&&(this.iridescence=t.iridescence),t.iridescenceIOR!==void 0&&(this.iridescenceIOR=t.iridescenceIOR),t.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessMinimum),t.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=t.iridescenceThicknessMaximum),t.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=t.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=t.iridescenceThicknessRange[1]),t.transmission!==void 0&&(this.transmission=t.transmission),t.thickness!==void 0&&(this.thickness=t.thickness),t.attenuationDistance!==void 0&&(this.attenuationDistance=t.attenuationDistance),t.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(t.attenuationColor),t.anisotropy!==void 0&&(this.anisotropy=t.anisotropy),t.anisotropyRotation!==void 0&&(this.anisotropyRotation=t.anisotropyRotation),t.fog!==void 0&&(this.fog=t.fog),t.flatShading!==void 0&&(this.flatShading=t.flatShading),t.blending!==void 0&&(this.blending=t.blending),t.combine!==void 0&&(this.combine=t.combine),t.side!==void 0&&(this.side=t.side),t.shadowSide!==void 0&&(this.shadowSide=t.shadowSide),t.opacity!==void 0&&(this.opacity=t.opacity),t.transparent!==void 0&&(this.transparent=t.transparent),t.alphaTest!==void 0&&(this.alphaTest=t.alphaTest),t.alphaHash!==void 0&&(this.alphaHash=t.alphaHash),t.depthFunc!==void 0&&(this.depthFunc=t.depthFunc),t.depthTest!==void 0&&(this.depthTest=t.depthTest),t.depthWrite!==void 0&&(this.depthWrite=t.depthWrite),t.colorWrite!==void 0&&(this.colorWrite=t.colorWrite),t.clippingPlanes!==void 0&&(this.clippingPlanes=t.clippingPlanes.map(i=>new We().fromJSON(i))),t.clipIntersection!==void 0&&(this.clipIntersection=t.clipIntersection),t.clipShadows!==void 0&&(this.clipShadows=t.clipShadows),t.depthPacking!==void 0&&(this.depthPacking=t.depthPacking),t.blendSrc!==void 0&&(this.blendSrc=t.blendSrc),t.blendDst!==void 0&&(this.blendDst=t.blendDst),t.blendEquation!==void 0&&(this.blendEquation=t.blendEquation),t.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=t.blendSrcAlpha),t.blendDstAlpha!==void 0&&(this.blendDstAlpha=t.blendDstAlpha),t.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=t.blendEquationAlpha),t.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(t.blendColor),t.blendAlpha!==void 0&&(this.blendAlpha=t.blendAlpha),t.stencilWriteMask!==void 0&&(this.stencilWriteMask=t.stencilWriteMask),t.stencilFunc!==void 0&&(this.stencilFunc=t.stencilFunc),t.stencilRef!==void 0&&(this.stencilRef=t.stencilRef),t.stencilFuncMask!==void 0&&(this.stencilFuncMask=t.stencilFuncMask),t.stencilFail!==void 0&&(this.stencilFail=t.stencilFail),t.stencilZFail!==void 0&&(this.stencilZFail=t.stencilZFail),t.stencilZPass!==void 0&&(this.stencilZPass=t.stencilZPass),t.stencilWrite!==void 0&&(this.stencilWrite=t.stencilWrite),t.wireframe!==void 0&&(this.wireframe=t.wireframe),t.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=t.wireframeLinewidth),t.wireframeLinecap!==void 0&&(this.wireframeLinecap=t.wireframeLinecap),t.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=t.wireframeLinejoin),t.rotation!==void 0&&(this.rotation=t.rotation),t.linewidth!==void 0&&(this.linewidth=t.linewidth),t.linecap!==void 0&&(this.linecap=t.linecap),t.linejoin!==void 0&&(this.linejoin=t.linejoin),t.dashSize!==void 0&&(this.dashSize=t.dashSize),t.gapSize!==void 0&&(this.gapSize=t.gapSize),t.scale!==void 0&&(this.scale=t.scale),t.polygonOffset!==void 0&&(this.polygonOffset=t.polygonOffset),t.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=t.polygonOffsetFactor),t.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=t.polygonOffsetUnits),t.dithering!==void 0&&(this.dithering=t.dithering),t.alphaToCoverage!==void 0&&(this.alphaToCoverage=t.alphaToCoverage),t.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=t.premultipliedAlpha),t.forceSinglePass!==void 0&&(this.forceSinglePass=t.forceSinglePass),t.allowOverride!==void 0&&(this.allowOverride=t.allowOverride),t.visible!==void 0&&(this.visible=t.visible),t.toneMapped!==void 0&&(this.toneMapped=t.toneMapped),t.userData!==void 0&&(this.userData=t.userData),t.vertexColors!==void 0&&(typeof t.vertexColors=="number"?this.vertexColors=t.vertexColors>0:this.vertexColors=t.vertexColors),t.size!==void 0&&(this.size=t.size),t.sizeAttenuation!==void 0&&(this.sizeAttenuation=t.sizeAttenuation),t.map!==void 0&&(this.map=e[t.map]||null),t.matcap!==void 0&&(this.matcap=e[t.matcap]||null),t.alphaMap!==void 0&&(this.alphaMap=e[t.alphaMap]||null),t.bumpMap!==void 0&&(this.bumpMap=e[t.bumpMap]||null),t.bumpScale!==void 0&&(this.bumpScale=t.bumpScale),t.normalMap!==void 0&&(this.normalMap=e[t.normalMap]||null),t.normalMapType!==void 0&&(this.normalMapType=t.normalMapType),t.normalScale!==void 0){let i=t.normalScale;Array.isArray(i)===!1&&(i=[i,i]),this.normalScale=new dt().fromArray(i)}return t.displacementMap!==void 0&&(this.displacementMap=e[t.displacementMap]||null),t.displacementScale!==void 0&&(this.displacementScale=t.displacementScale),t.displacementBias!==void 0&&(this.displacementBias=t.displacementBias),t.roughnessMap!==void 0&&(this.roughnessMap=e[t.roughnessMap]||null),t.metalnessMap!==void 0&&(this.metalnessMap=e[t.metalnessMap]||null),t.emissiveMap!==void 0&&(this.emissiveMap=e[t.emissiveMap]||null),t.emissiveIntensity!==void 0&&(this.emissiveIntensity=t.emissiveIntensity),t.specularMap!==void 0&&(this.specularMap=e[t.specularMap]||null),t.specularIntensityMap!==void 0&&(this.specularIntensityMap=e[t.specularIntensityMap]||null),t.specularColorMap!==void 0&&(this.specularColorMap=e[t.specularColorMap]||null),t.envMap!==void 0&&(this.envMap=e[t.envMap]||null),t.envMapRotation!==void 0&&this.envMapRotation.fromArray(t.envMapRotation),t.envMapIntensity!==void 0&&(this.envMapIntensity=t.envMapIntensity),t.reflectivity!==void 0&&(this.reflectivity=t.reflectivity),t.refractionRatio!==void 0&&(this.refractionRatio=t.refractionRatio),t.lightMap!==void 0&&(this.lightMap=e[t.lightMap]||null),t.lightMapIntensity!==void 0&&(this.lightMapIntensity=t.lightMapIntensity),t.aoMap!==void 0&&(this.aoMap=e[t.aoMap]||null),t.aoMapIntensity!==void 0&&(this.aoMapIntensity=t.aoMapIntensity),t.gradientMap!==void 0&&(this.gradientMap=e[t.gradientMap]||null),t.clearcoatMap!==void 0&&(this.clearcoatMap=e[t.clearcoatMap]||null),t.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=e[t.clearcoatRoughnessMap]||null),t.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=e[t.clearcoatNormalMap]||null),t.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new dt().fromArray(t.clearcoatNormalScale)),t.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=e[t.diffuseRoughnessMap]||null),t.iridescenceMap!==void 0&&(this.iridescenceMap=e[t.iridescenceMap]||null),t.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=e[t.iridescenceThicknessMap]||null),t.transmissionMap!==void 0&&(this.transmissionMap=e[t.transmissionMap]||null),t.thicknessMap!==void 0&&(this.thicknessMap=e[t.thicknessMap]||null),t.anisotropyMap!==void 0&&(this.anisotropyMap=e[t.anisotropyMap]||null),t.sheenColorMap!==void 0&&(this.sheenColorMap=e[t.sheenColorMap]||null),t.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=e[t.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,i=null;if(e!==null){let s=e.length;i=new Array(s);for(let r=0;r!==s;++r)i[r]=e[r].clone()}return this.clippingPlanes=i,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.allowOverride=t.allowOverride,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}};var oi=new C,tu=new C,la=new C,ca=new C,di=class{constructor(t=new C,e=new C(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,oi)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let i=e.dot(this.direction);return i<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,i)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=oi.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(oi.copy(this.origin).addScaledVector(this.direction,e),oi.distanceToSquared(t))}distanceSqToSegment(t,e,i,s){tu.copy(t).add(e).multiplyScalar(.5),la.copy(e).sub(t).normalize(),ca.copy(this.origin).sub(tu);let r=t.distanceTo(e)*.5,o=-this.direction.dot(la),a=ca.dot(this.direction),l=-ca.dot(la),c=ca.lengthSq(),h=Math.abs(1-o*o),u,d,f,p;if(h>0)if(u=o*l-a,d=o*a-l,p=r*h,u>=0)if(d>=-p)if(d<=p){let x=1/h;u*=x,d*=x,f=u*(u+o*d+2*a)+d*(o*u+d+2*l)+c}else d=r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d<=-p?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c):d<=p?(u=0,d=Math.min(Math.max(-r,-l),r),f=d*(d+2*l)+c):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;return i&&i.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(tu).addScaledVector(la,d),f}intersectSphere(t,e){if(t.radius<0)return null;oi.subVectors(t.center,this.origin);let i=oi.dot(this.direction),s=oi.dot(oi)-i*i,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=i-o,l=i+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return t.radius<0?!1:this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let i=-(this.origin.dot(t.normal)+t.constant)/e;return i>=0?i:null}intersectPlane(t,e){let i=this.distanceToPlane(t);return i===null?null:this.at(i,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let i,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(i=(t.min.x-d.x)*c,s=(t.max.x-d.x)*c):(i=(t.max.x-d.x)*c,s=(t.min.x-d.x)*c),h>=0?(r=(t.min.y-d.y)*h,o=(t.max.y-d.y)*h):(r=(t.max.y-d.y)*h,o=(t.min.y-d.y)*h),i>o||r>s||((r>i||isNaN(i))&&(i=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(t.min.z-d.z)*u,l=(t.max.z-d.z)*u):(a=(t.max.z-d.z)*u,l=(t.min.z-d.z)*u),i>l||a>s)||((a>i||i!==i)&&(i=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(i>=0?i:s,e)}intersectsBox(t){return this.intersectBox(t,oi)!==null}intersectTriangle(t,e,i,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=t.x-o.x,d=t.y-o.y,f=t.z-o.z,p=e.x-o.x,x=e.y-o.y,m=e.z-o.z,g=i.x-o.x,v=i.y-o.y,M=i.z-o.z,S=Math.abs(l),T=Math.abs(c),A=Math.abs(h),y,w,L,I,U,B,W,D,V,q,G,nt;if(S>=T&&S>=A?(L=l,B=u,V=p,nt=g,l>=0?(y=c,w=h,I=d,U=f,W=x,D=m,q=v,G=M):(y=h,w=c,I=f,U=d,W=m,D=x,q=M,G=v)):T>=A?(L=c,B=d,V=x,nt=v,c>=0?(y=h,w=l,I=f,U=u,W=m,D=p,q=M,G=g):(y=l,w=h,I=u,U=f,W=p,D=m,q=g,G=M)):(L=h,B=f,V=m,nt=M,h>=0?(y=l,w=c,I=u,U=d,W=p,D=x,q=g,G=v):(y=c,w=l,I=d,U=u,W=x,D=p,q=v,G=g)),L===0)return null;let $=y/L,Q=w/L,tt=1/L,Et=I-$*B,zt=U-Q*B,Z=W-$*V,yt=D-Q*V,St=q-$*nt,It=G-Q*nt,xt=St*yt-It*Z,Gt=Et*It-zt*St,Me=Z*zt-yt*Et;if(s){if(xt<0||Gt<0||Me<0)return null}else if((xt<0||Gt<0||Me<0)&&(xt>0||Gt>0||Me>0))return null;let Nt=xt+Gt+Me;if(Nt===0)return null;let ie=tt*(xt*B+Gt*V+Me*nt);return(Nt>0?ie<0:ie>0)?null:this.at(ie/Nt,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},nn=class extends ui{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Rt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new hi,this.combine=xl,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}},Wf=new kt,Ki=new di,ha=new Dn,Xf=new C,ua=new C,da=new C,fa=new C,eu=new C,pa=new C,$f=new C,ma=new C,le=class extends Pe{constructor(t=new oe,e=new nn){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,i=Object.keys(e);if(i.length>0){let s=e[i[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let i=this.geometry,s=i.attributes.position,r=i.morphAttributes.position,o=i.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){pa.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(eu.fromBufferAttribute(u,t),o?pa.addScaledVector(eu,h):pa.addScaledVector(eu.sub(e),h))}e.add(pa)}return e}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let i=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(i.boundingSphere===null&&i.computeBoundingSphere(),ha.copy(i.boundingSphere),ha.applyMatrix4(r),Ki.copy(t.ray).recast(t.near),!(ha.containsPoint(Ki.origin)===!1&&(Ki.intersectSphere(ha,Xf)===null||Ki.origin.distanceToSquared(Xf)>(t.far-t.near)**2))&&(Wf.copy(r).invert(),Ki.copy(t.ray).applyMatrix4(Wf),!(i.boundingBox!==null&&Ki.intersectsBox(i.boundingBox)===!1)&&this._computeIntersections(t,e,Ki)))}_computeIntersections(t,e,i){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let p=0,x=d.length;p<x;p++){let m=d[p],g=o[m.materialIndex],v=Math.max(m.start,f.start),M=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let S=v,T=M;S<T;S+=3){let A=a.getX(S),y=a.getX(S+1),w=a.getX(S+2);s=ga(this,g,t,i,c,h,u,A,y,w),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,f.start),x=Math.min(a.count,f.start+f.count);for(let m=p,g=x;m<g;m+=3){let v=a.getX(m),M=a.getX(m+1),S=a.getX(m+2);s=ga(this,o,t,i,c,h,u,v,M,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let p=0,x=d.length;p<x;p++){let m=d[p],g=o[m.materialIndex],v=Math.max(m.start,f.start),M=Math.min(l.count,Math.min(m.start+m.count,f.start+f.count));for(let S=v,T=M;S<T;S+=3){let A=S,y=S+1,w=S+2;s=ga(this,g,t,i,c,h,u,A,y,w),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let p=Math.max(0,f.start),x=Math.min(l.count,f.start+f.count);for(let m=p,g=x;m<g;m+=3){let v=m,M=m+1,S=m+2;s=ga(this,o,t,i,c,h,u,v,M,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function S_(n,t,e,i,s,r,o,a){let l;if(t.side===sn?l=i.intersectTriangle(o,r,s,!0,a):l=i.intersectTriangle(s,r,o,t.side===$n,a),l===null)return null;ma.copy(a),ma.applyMatrix4(n.matrixWorld);let c=e.ray.origin.distanceTo(ma);return c<e.near||c>e.far?null:{distance:c,point:ma.clone(),object:n}}function ga(n,t,e,i,s,r,o,a,l,c){n.getVertexPosition(a,ua),n.getVertexPosition(l,da),n.getVertexPosition(c,fa);let h=S_(n,t,e,i,ua,da,fa,$f);if(h){let u=new C;ai.getBarycoord($f,ua,da,fa,u),s&&(h.uv=ai.getInterpolatedAttribute(s,a,l,c,u,new dt)),r&&(h.uv1=ai.getInterpolatedAttribute(r,a,l,c,u,new dt)),o&&(h.normal=ai.getInterpolatedAttribute(o,a,l,c,u,new C),h.normal.dot(i.direction)>0&&h.normal.multiplyScalar(-1));let d={a,b:l,c,normal:new C,materialIndex:0};ai.getNormal(ua,da,fa,d.normal),h.face=d,h.barycoord=u}return h}var Mr=new re,qf=new re,Yf=new re,M_=new re,Kf=new kt,ya=new C,nu=new Dn,Zf=new kt,iu=new di,zr=class extends le{constructor(t,e){super(t,e),this.isSkinnedMesh=!0,this.type="SkinnedMesh",this.bindMode=uu,this.bindMatrix=new kt,this.bindMatrixInverse=new kt,this.boundingBox=null,this.boundingSphere=null}computeBoundingBox(){let t=this.geometry;this.boundingBox===null&&(this.boundingBox=new en),this.boundingBox.makeEmpty();let e=t.getAttribute("position");for(let i=0;i<e.count;i++)this.getVertexPosition(i,ya),this.boundingBox.expandByPoint(ya)}computeBoundingSphere(){let t=this.geometry;this.boundingSphere===null&&(this.boundingSphere=new Dn),this.boundingSphere.makeEmpty();let e=t.getAttribute("position");for(let i=0;i<e.count;i++)this.getVertexPosition(i,ya),this.boundingSphere.expandByPoint(ya)}copy(t,e){return super.copy(t,e),this.bindMode=t.bindMode,this.bindMatrix.copy(t.bindMatrix),this.bindMatrixInverse.copy(t.bindMatrixInverse),this.skeleton=t.skeleton,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}raycast(t,e){let i=this.material,s=this.matrixWorld;i!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),nu.copy(this.boundingSphere),nu.applyMatrix4(s),t.ray.intersectsSphere(nu)!==!1&&(Zf.copy(s).invert(),iu.copy(t.ray).applyMatrix4(Zf),!(this.boundingBox!==null&&iu.intersectsBox(this.boundingBox)===!1)&&this._computeIntersections(t,e,iu)))}getVertexPosition(t,e){return super.getVertexPosition(t,e),this.applyBoneTransform(t,e),e}bind(t,e){this.skeleton=t,e===void 0&&(this.updateMatrixWorld(!0),this.skeleton.calculateInverses(),e=this.matrixWorld),this.bindMatrix.copy(e),this.bindMatrixInverse.copy(e).invert()}pose(){this.skeleton.pose()}normalizeSkinWeights(){let t=new re,e=this.geometry.attributes.skinWeight;for(let i=0,s=e.count;i<s;i++){t.fromBufferAttribute(e,i);let r=1/t.manhattanLength();r!==1/0?t.multiplyScalar(r):t.set(1,0,0,0),e.setXYZW(i,t.x,t.y,t.z,t.w)}}updateMatrixWorld(t){super.updateMatrixWorld(t),this.bindMode===uu?this.bindMatrixInverse.copy(this.matrixWorld).invert():this.bindMode===Xp?this.bindMatrixInverse.copy(this.bindMatrix).invert():Ct("SkinnedMesh: Unrecognized bindMode: "+this.bindMode)}applyBoneTransform(t,e){let i=this.skeleton,s=this.geometry;qf.fromBufferAttribute(s.attributes.skinIndex,t),Yf.fromBufferAttribute(s.attributes.skinWeight,t),e.isVector4?(Mr.copy(e),e.set(0,0,0,0)):(Mr.set(e.x,e.y,e.z,1),e.set(0,0,0)),Mr.applyMatrix4(this.bindMatrix);for(let r=0;r<4;r++){let o=Yf.getComponent(r);if(o!==0){let a=qf.getComponent(r);Kf.multiplyMatrices(i.bones[a].matrixWorld,i.boneInverses[a]),e.addScaledVector(M_.copy(Mr).applyMatrix4(Kf),o)}}return e.isVector4&&(e.w=Mr.w),e.applyMatrix4(this.bindMatrixInverse)}},Vs=class extends Pe{constructor(){super(),this.isBone=!0,this.type="Bone"}},Ws=class extends tn{constructor(t=null,e=1,i=1,s,r,o,a,l,c=ze,h=ze,u,d){super(null,o,a,l,c,h,s,r,u,d),this.isDataTexture=!0,this.image={data:t,width:e,height:i},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}},Jf=new kt,w_=new kt,Hr=class n{constructor(t=[],e=[]){this.uuid=Ui(),this.bones=t.slice(0),this.boneInverses=e,this.boneMatrices=null,this.previousBoneMatrices=null,this.boneTexture=null,this.previousBoneTexture=null,this.init()}init(){let t=this.bones,e=this.boneInverses;if(this.boneMatrices=new Float32Array(t.length*16),e.length===0)this.calculateInverses();else if(t.length!==e.length){Ct("Skeleton: Number of inverse bone matrices does not match amount of bones."),this.boneInverses=[];for(let i=0,s=this.bones.length;i<s;i++)this.boneInverses.push(new kt)}}calculateInverses(){this.boneInverses.length=0;for(let t=0,e=this.bones.length;t<e;t++){let i=new kt;this.bones[t]&&i.copy(this.bones[t].matrixWorld).invert(),this.boneInverses.push(i)}}pose(){for(let t=0,e=this.bones.length;t<e;t++){let i=this.bones[t];i&&i.matrixWorld.copy(this.boneInverses[t]).invert()}for(let t=0,e=this.bones.length;t<e;t++){let i=this.bones[t];i&&(i.parent&&i.parent.isBone?(i.matrix.copy(i.parent.matrixWorld).invert(),i.matrix.multiply(i.matrixWorld)):i.matrix.copy(i.matrixWorld),i.matrix.decompose(i.position,i.quaternion,i.scale))}}update(){let t=this.bones,e=this.boneInverses,i=this.boneMatrices,s=this.boneTexture;for(let r=0,o=t.length;r<o;r++){let a=t[r]?t[r].matrixWorld:w_;Jf.multiplyMatrices(a,e[r]),Jf.toArray(i,r*16)}s!==null&&(s.needsUpdate=!0)}clone(){return new n(this.bones,this.boneInverses)}computeBoneTexture(){let t=Math.sqrt(this.bones.length*4);t=Math.ceil(t/4)*4,t=Math.max(t,4);let e=new Float32Array(t*t*4);e.set(this.boneMatrices);let i=new Ws(e,t,t,An,yn);return i.needsUpdate=!0,this.boneMatrices=e,this.boneTexture=i,this}getBoneByName(t){for(let e=0,i=this.bones.length;e<i;e++){let s=this.bones[e];if(s.name===t)return s}}dispose(){this.boneTexture!==null&&(this.boneTexture.dispose(),this.boneTexture=null),this.previousBoneTexture!==null&&(this.previousBoneTexture.dispose(),this.previousBoneTexture=null)}fromJSON(t,e){this.uuid=t.uuid;for(let i=0,s=t.bones.length;i<s;i++){let r=t.bones[i],o=e[r];o===void 0&&(Ct("Skeleton: No bone found with UUID:",r),o=new Vs),this.bones.push(o),this.boneInverses.push(new kt().fromArray(t.boneInverses[i]))}return this.init(),this}toJSON(){let t={metadata:{version:4.7,type:"Skeleton",generator:"Skeleton.toJSON"},bones:[],boneInverses:[]};t.uuid=this.uuid;let e=this.bones,i=this.boneInverses;for(let s=0,r=e.length;s<r;s++){let o=e[s];t.bones.push(o.uuid);let a=i[s];t.boneInverses.push(a.toArray())}return t}},Ji=class extends Qt{constructor(t,e,i,s=1){super(t,e,i),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},Ps=new kt,jf=new kt,xa=[],Qf=new en,E_=new kt,wr=new le,Er=new Dn,ji=class extends le{constructor(t,e,i){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new Ji(new Float32Array(i*16),16),this.instanceColor=null,this.morphTexture=null,this.count=i,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<i;s++)this.setMatrixAt(s,E_)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new en),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let i=0;i<e;i++)this.getMatrixAt(i,Ps),Qf.copy(t.boundingBox).applyMatrix4(Ps),this.boundingBox.union(Qf)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new Dn),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let i=0;i<e;i++)this.getMatrixAt(i,Ps),Er.copy(t.boundingSphere).applyMatrix4(Ps),this.boundingSphere.union(Er)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),this.morphTexture=t.morphTexture!==null?t.morphTexture.clone():null,this.instanceColor=t.instanceColor!==null?t.instanceColor.clone():null,this.count=t.count,this.boundingBox=t.boundingBox!==null?t.boundingBox.clone():null,this.boundingSphere=t.boundingSphere!==null?t.boundingSphere.clone():null,this}getColorAt(t,e){return this.instanceColor===null?e.setRGB(1,1,1):e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){return e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let i=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=i.length+1,o=t*r+1;for(let a=0;a<i.length;a++)i[a]=s[o+a]}raycast(t,e){let i=this.matrixWorld,s=this.count;if(wr.geometry=this.geometry,wr.material=this.material,wr.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Er.copy(this.boundingSphere),Er.applyMatrix4(i),t.ray.intersectsSphere(Er)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,Ps),jf.multiplyMatrices(i,Ps),wr.matrixWorld=jf,wr.raycast(t,xa);for(let o=0,a=xa.length;o<a;o++){let l=xa[o];l.instanceId=r,l.object=this,e.push(l)}xa.length=0}}setColorAt(t,e){return this.instanceColor===null&&(this.instanceColor=new Ji(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3),this}setMatrixAt(t,e){return e.toArray(this.instanceMatrix.array,t*16),this}setMorphAt(t,e){let i=e.morphTargetInfluences,s=i.length+1;this.morphTexture===null&&(this.morphTexture=new Ws(new Float32Array(s*this.count),s,this.count,El,yn));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<i.length;c++)o+=i[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;return r[l]=a,r.set(i,l+1),this}updateMorphTargets(){}dispose(){super.dispose(),this.instanceMatrix.dispose(),this.instanceColor!==null&&this.instanceColor.dispose(),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null)}},Zi=new Dn,T_=new dt(.5,.5),_a=new C,Pi=class{constructor(t=new We,e=new We,i=new We,s=new We,r=new We,o=new We){this.planes=[t,e,i,s,r,o]}set(t,e,i,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(i),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let i=0;i<6;i++)e[i].copy(t.planes[i]);return this}setFromProjectionMatrix(t,e=wn,i=!1){let s=this.planes,r=t.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],f=r[7],p=r[8],x=r[9],m=r[10],g=r[11],v=r[12],M=r[13],S=r[14],T=r[15];if(s[0].setComponents(c-o,f-h,g-p,T-v).normalize(),s[1].setComponents(c+o,f+h,g+p,T+v).normalize(),s[2].setComponents(c+a,f+u,g+x,T+M).normalize(),s[3].setComponents(c-a,f-u,g-x,T-M).normalize(),i)s[4].setComponents(l,d,m,S).normalize(),s[5].setComponents(c-l,f-d,g-m,T-S).normalize();else if(s[4].setComponents(c-l,f-d,g-m,T-S).normalize(),e===wn)s[5].setComponents(c+l,f+d,g+m,T+S).normalize();else if(e===Fs)s[5].setComponents(l,d,m,S).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),Zi.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),Zi.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere(Zi)}intersectsSprite(t){Zi.center.set(0,0,0);let e=T_.distanceTo(t.center);return Zi.radius=.7071067811865476+e,Zi.applyMatrix4(t.matrixWorld),this.intersectsSphere(Zi)}intersectsSphere(t){let e=this.planes,i=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(i)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let i=0;i<6;i++){let s=e[i];if(_a.x=s.normal.x>0?t.max.x:t.min.x,_a.y=s.normal.y>0?t.max.y:t.min.y,_a.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(_a)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let i=0;i<6;i++)if(e[i].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},tp=new kt,$a=class n{constructor(){this.coordinateSystem=wn,this._frustums=[],this._count=0}setFromArrayCamera(t){let e=t.cameras,i=this._frustums;for(let s=0;s<e.length;s++){let r=e[s];tp.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),i[s]===void 0&&(i[s]=new Pi),i[s].setFromProjectionMatrix(tp,r.coordinateSystem,r.reversedDepth)}return this._count=e.length,this}getFrustum(t){return this._frustums[t]}intersectsObject(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsObject(t))return!0;return!1}intersectsSprite(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsSprite(t))return!0;return!1}intersectsSphere(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsSphere(t))return!0;return!1}intersectsBox(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].intersectsBox(t))return!0;return!1}containsPoint(t){let e=this._frustums;for(let i=0;i<this._count;i++)if(e[i].containsPoint(t))return!0;return!1}copy(t){this.coordinateSystem=t.coordinateSystem;let e=this._frustums,i=t._frustums;for(let s=0;s<t._count;s++)e[s]===void 0&&(e[s]=new Pi),e[s].copy(i[s]);return this._count=t._count,this}clone(){return new n().copy(this)}};var En=class extends ui{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Rt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},qa=new C,Ya=new C,ep=new kt,Tr=new di,va=new Dn,su=new C,np=new C,Gr=class extends Pe{constructor(t=new oe,e=new En){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0?this.morphTargetInfluences=t.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,t.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,i=[0];for(let s=1,r=e.count;s<r;s++)qa.fromBufferAttribute(e,s-1),Ya.fromBufferAttribute(e,s),i[s]=i[s-1],i[s]+=qa.distanceTo(Ya);t.setAttribute("lineDistance",new te(i,1))}else Ct("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(t){return t.intersectsObject(this)}raycast(t,e){let i=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=i.drawRange;if(i.boundingSphere===null&&i.computeBoundingSphere(),va.copy(i.boundingSphere),va.applyMatrix4(s),va.radius+=r,t.ray.intersectsSphere(va)===!1)return;ep.copy(s).invert(),Tr.copy(t.ray).applyMatrix4(ep);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=i.index,d=i.attributes.position;if(h!==null){let f=Math.max(0,o.start),p=Math.min(h.count,o.start+o.count);for(let x=f,m=p-1;x<m;x+=c){let g=h.getX(x),v=h.getX(x+1),M=ba(this,t,Tr,l,g,v,x);M&&e.push(M)}if(this.isLineLoop){let x=h.getX(p-1),m=h.getX(f),g=ba(this,t,Tr,l,x,m,p-1);g&&e.push(g)}}else{let f=Math.max(0,o.start),p=Math.min(d.count,o.start+o.count);for(let x=f,m=p-1;x<m;x+=c){let g=ba(this,t,Tr,l,x,x+1,x);g&&e.push(g)}if(this.isLineLoop){let x=ba(this,t,Tr,l,p-1,f,p-1);x&&e.push(x)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,i=Object.keys(e);if(i.length>0){let s=e[i[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function ba(n,t,e,i,s,r,o){let a=n.geometry.attributes.position;if(qa.fromBufferAttribute(a,s),Ya.fromBufferAttribute(a,r),e.distanceSqToSegment(qa,Ya,su,np)>i)return;su.applyMatrix4(n.matrixWorld);let c=t.ray.origin.distanceTo(su);if(!(c<t.near||c>t.far))return{distance:c,point:np.clone().applyMatrix4(n.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:n}}var ip=new C,sp=new C,Nn=class extends Gr{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,i=[];for(let s=0,r=e.count;s<r;s+=2)ip.fromBufferAttribute(e,s),sp.fromBufferAttribute(e,s+1),i[s]=s===0?0:i[s-1],i[s+1]=i[s]+ip.distanceTo(sp);t.setAttribute("lineDistance",new te(i,1))}else Ct("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var Vr=class extends tn{constructor(t=[],e=ss,i,s,r,o,a,l,c,h){super(t,e,i,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}},Wr=class extends tn{constructor(t,e,i,s,r,o,a,l,c){super(t,e,i,s,r,o,a,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}};var fi=class extends tn{constructor(t,e,i=Un,s,r,o,a=ze,l=ze,c,h=ci,u=1){if(h!==ci&&h!==mi)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:t,height:e,depth:u};super(d,s,r,o,a,l,h,i,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.source=new zs(Object.assign({},t.image)),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return e.compareFunction=this.compareFunction,e}},Xr=class extends fi{constructor(t,e=Un,i=ss,s,r,o=ze,a=ze,l,c=ci){let h={width:t,height:t,depth:1},u=[h,h,h,h,h,h];super(t,t,e,i,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(t){this.image=t}},$r=class extends tn{constructor(t=null){super(),this.sourceTexture=t,this.isExternalTexture=!0}copy(t){return super.copy(t),this.sourceTexture=t.sourceTexture,this}},Xs=class n extends oe{constructor(t=1,e=1,i=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:i,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],d=0,f=0;p("z","y","x",-1,-1,i,e,t,o,r,0),p("z","y","x",1,-1,i,e,-t,o,r,1),p("x","z","y",1,1,t,i,e,s,o,2),p("x","z","y",1,-1,t,i,-e,s,o,3),p("x","y","z",1,-1,t,e,i,s,r,4),p("x","y","z",-1,-1,t,e,-i,s,r,5),this.setIndex(l),this.setAttribute("position",new te(c,3)),this.setAttribute("normal",new te(h,3)),this.setAttribute("uv",new te(u,2));function p(x,m,g,v,M,S,T,A,y,w,L){let I=S/y,U=T/w,B=S/2,W=T/2,D=A/2,V=y+1,q=w+1,G=0,nt=0,$=new C;for(let Q=0;Q<q;Q++){let tt=Q*U-W;for(let Et=0;Et<V;Et++){let zt=Et*I-B;$[x]=zt*v,$[m]=tt*M,$[g]=D,c.push($.x,$.y,$.z),$[x]=0,$[m]=0,$[g]=A>0?1:-1,h.push($.x,$.y,$.z),u.push(Et/y),u.push(1-Q/w),G+=1}}for(let Q=0;Q<w;Q++)for(let tt=0;tt<y;tt++){let Et=d+tt+V*Q,zt=d+tt+V*(Q+1),Z=d+(tt+1)+V*(Q+1),yt=d+(tt+1)+V*Q;l.push(Et,zt,yt),l.push(zt,Z,yt),nt+=6}a.addGroup(f,nt,L),f+=nt,d+=G}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new n(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};var Qi=class n extends oe{constructor(t=1,e=32,i=0,s=Math.PI*2){super(),this.type="CircleGeometry",this.parameters={radius:t,segments:e,thetaStart:i,thetaLength:s},e=Math.max(3,e);let r=[],o=[],a=[],l=[],c=new C,h=new dt;o.push(0,0,0),a.push(0,0,1),l.push(.5,.5);for(let u=0,d=3;u<=e;u++,d+=3){let f=i+u/e*s;c.x=t*Math.cos(f),c.y=t*Math.sin(f),o.push(c.x,c.y,c.z),a.push(0,0,1),h.x=(o[d]/t+1)/2,h.y=(o[d+1]/t+1)/2,l.push(h.x,h.y)}for(let u=1;u<=e;u++)r.push(u,u+1,0);this.setIndex(r),this.setAttribute("position",new te(o,3)),this.setAttribute("normal",new te(a,3)),this.setAttribute("uv",new te(l,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new n(t.radius,t.segments,t.thetaStart,t.thetaLength)}},Ka=class n extends oe{constructor(t=1,e=1,i=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:i,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],u=[],d=[],f=[],p=0,x=[],m=i/2,g=0;v(),o===!1&&(t>0&&M(!0),e>0&&M(!1)),this.setIndex(h),this.setAttribute("position",new te(u,3)),this.setAttribute("normal",new te(d,3)),this.setAttribute("uv",new te(f,2));function v(){let S=new C,T=new C,A=0,y=(e-t)/i;for(let w=0;w<=r;w++){let L=[],I=w/r,U=I*(e-t)+t;for(let B=0;B<=s;B++){let W=B/s,D=W*l+a,V=Math.sin(D),q=Math.cos(D);T.x=U*V,T.y=-I*i+m,T.z=U*q,u.push(T.x,T.y,T.z),S.set(V,y,q).normalize(),d.push(S.x,S.y,S.z),f.push(W,1-I),L.push(p++)}x.push(L)}for(let w=0;w<s;w++)for(let L=0;L<r;L++){let I=x[L][w],U=x[L+1][w],B=x[L+1][w+1],W=x[L][w+1];(t>0||L!==0)&&(h.push(I,U,W),A+=3),(e>0||L!==r-1)&&(h.push(U,B,W),A+=3)}c.addGroup(g,A,0),g+=A}function M(S){let T=p,A=new dt,y=new C,w=0,L=S===!0?t:e,I=S===!0?1:-1;for(let B=1;B<=s;B++)u.push(0,m*I,0),d.push(0,I,0),f.push(.5,.5),p++;let U=p;for(let B=0;B<=s;B++){let D=B/s*l+a,V=Math.cos(D),q=Math.sin(D);y.x=L*q,y.y=m*I,y.z=L*V,u.push(y.x,y.y,y.z),d.push(0,I,0),A.x=V*.5+.5,A.y=q*.5*I+.5,f.push(A.x,A.y),p++}for(let B=0;B<s;B++){let W=T+B,D=U+B;S===!0?h.push(D,D+1,W):h.push(D+1,D,W),w+=3}c.addGroup(g,w,S===!0?1:2),g+=w}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new n(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},Za=class n extends Ka{constructor(t=1,e=1,i=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,i,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:i,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new n(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var Sa=new C,Ma=new C,ru=new C,wa=new ai,qr=class extends oe{constructor(t=null,e=1){if(super(),this.type="EdgesGeometry",this.parameters={geometry:t,thresholdAngle:e},t!==null){let s=Math.pow(10,4),r=Math.cos(Ds*e),o=t.getIndex(),a=t.getAttribute("position"),l=o?o.count:a.count,c=[0,0,0],h=["a","b","c"],u=new Array(3),d=new Map,f=[];for(let p=0;p<l;p+=3){o?(c[0]=o.getX(p),c[1]=o.getX(p+1),c[2]=o.getX(p+2)):(c[0]=p,c[1]=p+1,c[2]=p+2);let{a:x,b:m,c:g}=wa;if(x.fromBufferAttribute(a,c[0]),m.fromBufferAttribute(a,c[1]),g.fromBufferAttribute(a,c[2]),wa.getNormal(ru),u[0]=`${Math.round(x.x*s)},${Math.round(x.y*s)},${Math.round(x.z*s)}`,u[1]=`${Math.round(m.x*s)},${Math.round(m.y*s)},${Math.round(m.z*s)}`,u[2]=`${Math.round(g.x*s)},${Math.round(g.y*s)},${Math.round(g.z*s)}`,!(u[0]===u[1]||u[1]===u[2]||u[2]===u[0]))for(let v=0;v<3;v++){let M=(v+1)%3,S=u[v],T=u[M],A=wa[h[v]],y=wa[h[M]],w=`${S}_${T}`,L=`${T}_${S}`,I=d.get(L);I?(ru.dot(I.normal)<=r&&(f.push(A.x,A.y,A.z),f.push(y.x,y.y,y.z)),d.set(L,null)):d.has(w)||d.set(w,{index0:c[v],index1:c[M],normal:ru.clone()})}}for(let p of d.values())if(p){let{index0:x,index1:m}=p;Sa.fromBufferAttribute(a,x),Ma.fromBufferAttribute(a,m),f.push(Sa.x,Sa.y,Sa.z),f.push(Ma.x,Ma.y,Ma.z)}this.setAttribute("position",new te(f,3))}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}},mn=class{constructor(){this.type="Curve",this.arcLengthDivisions=200,this.needsUpdate=!1,this.cacheArcLengths=null}getPoint(){Ct("Curve: .getPoint() not implemented.")}getPointAt(t,e){let i=this.getUtoTmapping(t);return this.getPoint(i,e)}getPoints(t=5){let e=[];for(let i=0;i<=t;i++)e.push(this.getPoint(i/t));return e}getSpacedPoints(t=5){let e=[];for(let i=0;i<=t;i++)e.push(this.getPointAt(i/t));return e}getLength(){let t=this.getLengths();return t[t.length-1]}getLengths(t=this.arcLengthDivisions){if(this.cacheArcLengths&&this.cacheArcLengths.length===t+1&&!this.needsUpdate)return this.cacheArcLengths;this.needsUpdate=!1;let e=[],i,s=this.getPoint(0),r=0;e.push(0);for(let o=1;o<=t;o++)i=this.getPoint(o/t),r+=i.distanceTo(s),e.push(r),s=i;return this.cacheArcLengths=e,e}updateArcLengths(){this.needsUpdate=!0,this.getLengths()}getUtoTmapping(t,e=null){let i=this.getLengths(),s=0,r=i.length,o;e?o=e:o=t*i[r-1];let a=0,l=r-1,c;for(;a<=l;)if(s=Math.floor(a+(l-a)/2),c=i[s]-o,c<0)a=s+1;else if(c>0)l=s-1;else{l=s;break}if(s=l,i[s]===o)return s/(r-1);let h=i[s],d=i[s+1]-h,f=(o-h)/d;return(s+f)/(r-1)}getTangent(t,e){let s=t-1e-4,r=t+1e-4;s<0&&(s=0),r>1&&(r=1);let o=this.getPoint(s),a=this.getPoint(r),l=e||(o.isVector2?new dt:new C);return l.copy(a).sub(o).normalize(),l}getTangentAt(t,e){let i=this.getUtoTmapping(t);return this.getTangent(i,e)}computeFrenetFrames(t,e=!1){let i=new C,s=[],r=[],o=[],a=new C,l=new kt;for(let f=0;f<=t;f++){let p=f/t;s[f]=this.getTangentAt(p,new C)}r[0]=new C,o[0]=new C;let c=Number.MAX_VALUE,h=Math.abs(s[0].x),u=Math.abs(s[0].y),d=Math.abs(s[0].z);h<=c&&(c=h,i.set(1,0,0)),u<=c&&(c=u,i.set(0,1,0)),d<=c&&i.set(0,0,1),a.crossVectors(s[0],i).normalize(),r[0].crossVectors(s[0],a),o[0].crossVectors(s[0],r[0]);for(let f=1;f<=t;f++){if(r[f]=r[f-1].clone(),o[f]=o[f-1].clone(),a.crossVectors(s[f-1],s[f]),a.length()>Number.EPSILON){a.normalize();let p=Math.acos(Xt(s[f-1].dot(s[f]),-1,1));r[f].applyMatrix4(l.makeRotationAxis(a,p))}o[f].crossVectors(s[f],r[f])}if(e===!0){let f=Math.acos(Xt(r[0].dot(r[t]),-1,1));f/=t,s[0].dot(a.crossVectors(r[0],r[t]))>0&&(f=-f);for(let p=1;p<=t;p++)r[p].applyMatrix4(l.makeRotationAxis(s[p],f*p)),o[p].crossVectors(s[p],r[p])}return{tangents:s,normals:r,binormals:o}}clone(){return new this.constructor().copy(this)}copy(t){return this.arcLengthDivisions=t.arcLengthDivisions,this.cacheArcLengths=null,this}toJSON(){let t={metadata:{version:4.7,type:"Curve",generator:"Curve.toJSON"}};return t.arcLengthDivisions=this.arcLengthDivisions,t.type=this.type,t}fromJSON(t){return this.arcLengthDivisions=t.arcLengthDivisions,this.cacheArcLengths=null,this}},$s=class extends mn{constructor(t=0,e=0,i=1,s=1,r=0,o=Math.PI*2,a=!1,l=0){super(),this.isEllipseCurve=!0,this.type="EllipseCurve",this.aX=t,this.aY=e,this.xRadius=i,this.yRadius=s,this.aStartAngle=r,this.aEndAngle=o,this.aClockwise=a,this.aRotation=l}getPoint(t,e=new dt){let i=e,s=Math.PI*2,r=this.aEndAngle-this.aStartAngle,o=Math.abs(r)<Number.EPSILON;for(;r<0;)r+=s;for(;r>s;)r-=s;r<Number.EPSILON&&(o?r=0:r=s),this.aClockwise===!0&&!o&&(r===s?r=-s:r=r-s);let a=this.aStartAngle+t*r,l=this.aX+this.xRadius*Math.cos(a),c=this.aY+this.yRadius*Math.sin(a);if(this.aRotation!==0){let h=Math.cos(this.aRotation),u=Math.sin(this.aRotation),d=l-this.aX,f=c-this.aY;l=d*h-f*u+this.aX,c=d*u+f*h+this.aY}return i.set(l,c)}copy(t){return super.copy(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}toJSON(){let t=super.toJSON();return t.aX=this.aX,t.aY=this.aY,t.xRadius=this.xRadius,t.yRadius=this.yRadius,t.aStartAngle=this.aStartAngle,t.aEndAngle=this.aEndAngle,t.aClockwise=this.aClockwise,t.aRotation=this.aRotation,t}fromJSON(t){return super.fromJSON(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}},Ja=class extends $s{constructor(t,e,i,s,r,o){super(t,e,i,i,s,r,o),this.isArcCurve=!0,this.type="ArcCurve"}};function Ju(){let n=0,t=0,e=0,i=0;function s(r,o,a,l){n=r,t=a,e=-3*r+3*o-2*a-l,i=2*r-2*o+a+l}return{initCatmullRom:function(r,o,a,l,c){s(o,a,c*(a-r),c*(l-o))},initNonuniformCatmullRom:function(r,o,a,l,c,h,u){let d=(o-r)/c-(a-r)/(c+h)+(a-o)/h,f=(a-o)/h-(l-o)/(h+u)+(l-a)/u;d*=h,f*=h,s(o,a,d,f)},calc:function(r){let o=r*r,a=o*r;return n+t*r+e*o+i*a}}}var rp=new C,op=new C,ou=new Ju,au=new Ju,lu=new Ju,ja=class extends mn{constructor(t=[],e=!1,i="centripetal",s=.5){super(),this.isCatmullRomCurve3=!0,this.type="CatmullRomCurve3",this.points=t,this.closed=e,this.curveType=i,this.tension=s}getPoint(t,e=new C){let i=e,s=this.points,r=s.length,o=(r-(this.closed?0:1))*t,a=Math.floor(o),l=o-a;this.closed?a+=a>0?0:(Math.floor(Math.abs(a)/r)+1)*r:l===0&&a===r-1&&(a=r-2,l=1);let c,h;this.closed||a>0?c=s[(a-1)%r]:(op.subVectors(s[0],s[1]).add(s[0]),c=op);let u=s[a%r],d=s[(a+1)%r];if(this.closed||a+2<r?h=s[(a+2)%r]:(rp.subVectors(s[r-1],s[r-2]).add(s[r-1]),h=rp),this.curveType==="centripetal"||this.curveType==="chordal"){let f=this.curveType==="chordal"?.5:.25,p=Math.pow(c.distanceToSquared(u),f),x=Math.pow(u.distanceToSquared(d),f),m=Math.pow(d.distanceToSquared(h),f);x<1e-4&&(x=1),p<1e-4&&(p=x),m<1e-4&&(m=x),ou.initNonuniformCatmullRom(c.x,u.x,d.x,h.x,p,x,m),au.initNonuniformCatmullRom(c.y,u.y,d.y,h.y,p,x,m),lu.initNonuniformCatmullRom(c.z,u.z,d.z,h.z,p,x,m)}else this.curveType==="catmullrom"&&(ou.initCatmullRom(c.x,u.x,d.x,h.x,this.tension),au.initCatmullRom(c.y,u.y,d.y,h.y,this.tension),lu.initCatmullRom(c.z,u.z,d.z,h.z,this.tension));return i.set(ou.calc(l),au.calc(l),lu.calc(l)),i}copy(t){super.copy(t),this.points=[];for(let e=0,i=t.points.length;e<i;e++){let s=t.points[e];this.points.push(s.clone())}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,i=this.points.length;e<i;e++){let s=this.points[e];t.points.push(s.toArray())}return t.closed=this.closed,t.curveType=this.curveType,t.tension=this.tension,t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,i=t.points.length;e<i;e++){let s=t.points[e];this.points.push(new C().fromArray(s))}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}};function ap(n,t,e,i,s){let r=(i-t)*.5,o=(s-e)*.5,a=n*n,l=n*a;return(2*e-2*i+r+o)*l+(-3*e+3*i-2*r-o)*a+r*n+e}function A_(n,t){let e=1-n;return e*e*t}function C_(n,t){return 2*(1-n)*n*t}function P_(n,t){return n*n*t}function Rr(n,t,e,i){return A_(n,t)+C_(n,e)+P_(n,i)}function R_(n,t){let e=1-n;return e*e*e*t}function I_(n,t){let e=1-n;return 3*e*e*n*t}function L_(n,t){return 3*(1-n)*n*n*t}function D_(n,t){return n*n*n*t}function Ir(n,t,e,i,s){return R_(n,t)+I_(n,e)+L_(n,i)+D_(n,s)}var Yr=class extends mn{constructor(t=new dt,e=new dt,i=new dt,s=new dt){super(),this.isCubicBezierCurve=!0,this.type="CubicBezierCurve",this.v0=t,this.v1=e,this.v2=i,this.v3=s}getPoint(t,e=new dt){let i=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return i.set(Ir(t,s.x,r.x,o.x,a.x),Ir(t,s.y,r.y,o.y,a.y)),i}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},Qa=class extends mn{constructor(t=new C,e=new C,i=new C,s=new C){super(),this.isCubicBezierCurve3=!0,this.type="CubicBezierCurve3",this.v0=t,this.v1=e,this.v2=i,this.v3=s}getPoint(t,e=new C){let i=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return i.set(Ir(t,s.x,r.x,o.x,a.x),Ir(t,s.y,r.y,o.y,a.y),Ir(t,s.z,r.z,o.z,a.z)),i}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},Kr=class extends mn{constructor(t=new dt,e=new dt){super(),this.isLineCurve=!0,this.type="LineCurve",this.v1=t,this.v2=e}getPoint(t,e=new dt){let i=e;return t===1?i.copy(this.v2):(i.copy(this.v2).sub(this.v1),i.multiplyScalar(t).add(this.v1)),i}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new dt){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},tl=class extends mn{constructor(t=new C,e=new C){super(),this.isLineCurve3=!0,this.type="LineCurve3",this.v1=t,this.v2=e}getPoint(t,e=new C){let i=e;return t===1?i.copy(this.v2):(i.copy(this.v2).sub(this.v1),i.multiplyScalar(t).add(this.v1)),i}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new C){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Zr=class extends mn{constructor(t=new dt,e=new dt,i=new dt){super(),this.isQuadraticBezierCurve=!0,this.type="QuadraticBezierCurve",this.v0=t,this.v1=e,this.v2=i}getPoint(t,e=new dt){let i=e,s=this.v0,r=this.v1,o=this.v2;return i.set(Rr(t,s.x,r.x,o.x),Rr(t,s.y,r.y,o.y)),i}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},el=class extends mn{constructor(t=new C,e=new C,i=new C){super(),this.isQuadraticBezierCurve3=!0,this.type="QuadraticBezierCurve3",this.v0=t,this.v1=e,this.v2=i}getPoint(t,e=new C){let i=e,s=this.v0,r=this.v1,o=this.v2;return i.set(Rr(t,s.x,r.x,o.x),Rr(t,s.y,r.y,o.y),Rr(t,s.z,r.z,o.z)),i}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Jr=class extends mn{constructor(t=[]){super(),this.isSplineCurve=!0,this.type="SplineCurve",this.points=t}getPoint(t,e=new dt){let i=e,s=this.points,r=(s.length-1)*t,o=Math.floor(r),a=r-o,l=s[o===0?o:o-1],c=s[o],h=s[o>s.length-2?s.length-1:o+1],u=s[o>s.length-3?s.length-1:o+2];return i.set(ap(a,l.x,c.x,h.x,u.x),ap(a,l.y,c.y,h.y,u.y)),i}copy(t){super.copy(t),this.points=[];for(let e=0,i=t.points.length;e<i;e++){let s=t.points[e];this.points.push(s.clone())}return this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,i=this.points.length;e<i;e++){let s=this.points[e];t.points.push(s.toArray())}return t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,i=t.points.length;e<i;e++){let s=t.points[e];this.points.push(new dt().fromArray(s))}return this}},lp=Object.freeze({__proto__:null,ArcCurve:Ja,CatmullRomCurve3:ja,CubicBezierCurve:Yr,CubicBezierCurve3:Qa,EllipseCurve:$s,LineCurve:Kr,LineCurve3:tl,QuadraticBezierCurve:Zr,QuadraticBezierCurve3:el,SplineCurve:Jr}),nl=class extends mn{constructor(){super(),this.type="CurvePath",this.curves=[],this.autoClose=!1,this.cacheLengths=null}add(t){this.curves.push(t)}closePath(){let t=this.curves[0].getPoint(0),e=this.curves[this.curves.length-1].getPoint(1);if(!t.equals(e)){let i=t.isVector2===!0?"LineCurve":"LineCurve3";this.curves.push(new lp[i](e,t))}return this}getPoint(t,e){let i=t*this.getLength(),s=this.getCurveLengths(),r=0;for(;r<s.length;){if(s[r]>=i){let o=s[r]-i,a=this.curves[r],l=a.getLength(),c=l===0?0:1-o/l;return a.getPointAt(c,e)}r++}return null}getLength(){let t=this.getCurveLengths();return t[t.length-1]}updateArcLengths(){this.needsUpdate=!0,this.cacheLengths=null,this.getCurveLengths()}getCurveLengths(){if(this.cacheLengths&&this.cacheLengths.length===this.curves.length)return this.cacheLengths;let t=[],e=0;for(let i=0,s=this.curves.length;i<s;i++)e+=this.curves[i].getLength(),t.push(e);return this.cacheLengths=t,t}getSpacedPoints(t=40){let e=[];for(let i=0;i<=t;i++)e.push(this.getPoint(i/t));return this.autoClose&&e.push(e[0]),e}getPoints(t=12){let e=[],i;for(let s=0,r=this.curves;s<r.length;s++){let o=r[s],a=o.isEllipseCurve?t*2:o.isLineCurve||o.isLineCurve3?1:o.isSplineCurve?t*o.points.length:t,l=o.getPoints(a);for(let c=0;c<l.length;c++){let h=l[c];i&&i.equals(h)||(e.push(h),i=h)}}return this.autoClose&&e.length>1&&!e[e.length-1].equals(e[0])&&e.push(e[0]),e}copy(t){super.copy(t),this.curves=[];for(let e=0,i=t.curves.length;e<i;e++){let s=t.curves[e];this.curves.push(s.clone())}return this.autoClose=t.autoClose,this.cacheLengths=null,this}toJSON(){let t=super.toJSON();t.autoClose=this.autoClose,t.curves=[];for(let e=0,i=this.curves.length;e<i;e++){let s=this.curves[e];t.curves.push(s.toJSON())}return t}fromJSON(t){super.fromJSON(t),this.autoClose=t.autoClose,this.curves=[];for(let e=0,i=t.curves.length;e<i;e++){let s=t.curves[e];this.curves.push(new lp[s.type]().fromJSON(s))}return this.cacheLengths=null,this}},jr=class extends nl{constructor(t){super(),this.type="Path",this.currentPoint=new dt,t&&this.setFromPoints(t)}setFromPoints(t){this.moveTo(t[0].x,t[0].y);for(let e=1,i=t.length;e<i;e++)this.lineTo(t[e].x,t[e].y);return this}moveTo(t,e){return this.currentPoint.set(t,e),this}lineTo(t,e){let i=new Kr(this.currentPoint.clone(),new dt(t,e));return this.curves.push(i),this.currentPoint.set(t,e),this}quadraticCurveTo(t,e,i,s){let r=new Zr(this.currentPoint.clone(),new dt(t,e),new dt(i,s));return this.curves.push(r),this.currentPoint.set(i,s),this}bezierCurveTo(t,e,i,s,r,o){let a=new Yr(this.currentPoint.clone(),new dt(t,e),new dt(i,s),new dt(r,o));return this.curves.push(a),this.currentPoint.set(r,o),this}splineThru(t){let e=[this.currentPoint.clone()].concat(t),i=new Jr(e);return this.curves.push(i),this.currentPoint.copy(t[t.length-1]),this}arc(t,e,i,s,r,o){let a=this.currentPoint.x,l=this.currentPoint.y;return this.absarc(t+a,e+l,i,s,r,o),this}absarc(t,e,i,s,r,o){return this.absellipse(t,e,i,i,s,r,o),this}ellipse(t,e,i,s,r,o,a,l){let c=this.currentPoint.x,h=this.currentPoint.y;return this.absellipse(t+c,e+h,i,s,r,o,a,l),this}absellipse(t,e,i,s,r,o,a,l){let c=new $s(t,e,i,s,r,o,a,l);if(this.curves.length>0){let u=c.getPoint(0);u.equals(this.currentPoint)||this.lineTo(u.x,u.y)}this.curves.push(c);let h=c.getPoint(1);return this.currentPoint.copy(h),this}copy(t){return super.copy(t),this.currentPoint.copy(t.currentPoint),this}toJSON(){let t=super.toJSON();return t.currentPoint=this.currentPoint.toArray(),t}fromJSON(t){return super.fromJSON(t),this.currentPoint.fromArray(t.currentPoint),this}},ts=class extends jr{constructor(t){super(t),this.uuid=Ui(),this.type="Shape",this.holes=[]}getPointsHoles(t){let e=[];for(let i=0,s=this.holes.length;i<s;i++)e[i]=this.holes[i].getPoints(t);return e}extractPoints(t){return{shape:this.getPoints(t),holes:this.getPointsHoles(t)}}copy(t){super.copy(t),this.holes=[];for(let e=0,i=t.holes.length;e<i;e++){let s=t.holes[e];this.holes.push(s.clone())}return this}toJSON(){let t=super.toJSON();t.uuid=this.uuid,t.holes=[];for(let e=0,i=this.holes.length;e<i;e++){let s=this.holes[e];t.holes.push(s.toJSON())}return t}fromJSON(t){super.fromJSON(t),this.uuid=t.uuid,this.holes=[];for(let e=0,i=t.holes.length;e<i;e++){let s=t.holes[e];this.holes.push(new jr().fromJSON(s))}return this}};function N_(n,t,e=2){let i=t&&t.length,s=i?t[0]*e:n.length,r=cm(n,0,s,e,!0),o=[];if(!r||r.next===r.prev)return o;let a,l,c;if(i&&(r=B_(n,t,r,e)),n.length>80*e){a=n[0],l=n[1];let h=a,u=l;for(let d=e;d<s;d+=e){let f=n[d],p=n[d+1];f<a&&(a=f),p<l&&(l=p),f>h&&(h=f),p>u&&(u=p)}c=Math.max(h-a,u-l),c=c!==0?32767/c:0}return Qr(r,o,e,a,l,c,0),o}function cm(n,t,e,i,s){let r;if(s===Z_(n,t,e,i)>0)for(let o=t;o<e;o+=i)r=cp(o/i|0,n[o],n[o+1],r);else for(let o=e-i;o>=t;o-=i)r=cp(o/i|0,n[o],n[o+1],r);return r&&qs(r,r.next)&&(eo(r),r=r.next),r}function es(n,t){if(!n)return n;t||(t=n);let e=n,i;do if(i=!1,!e.steiner&&(qs(e,e.next)||be(e.prev,e,e.next)===0)){if(eo(e),e=t=e.prev,e===e.next)break;i=!0}else e=e.next;while(i||e!==t);return t}function Qr(n,t,e,i,s,r,o){if(!n)return;!o&&r&&W_(n,i,s,r);let a=n;for(;n.prev!==n.next;){let l=n.prev,c=n.next;if(r?U_(n,i,s,r):O_(n)){t.push(l.i,n.i,c.i),eo(n),n=c.next,a=c.next;continue}if(n=c,n===a){o?o===1?(n=F_(es(n),t),Qr(n,t,e,i,s,r,2)):o===2&&k_(n,t,e,i,s,r):Qr(es(n),t,e,i,s,r,1);break}}}function O_(n){let t=n.prev,e=n,i=n.next;if(be(t,e,i)>=0)return!1;let s=t.x,r=e.x,o=i.x,a=t.y,l=e.y,c=i.y,h=Math.min(s,r,o),u=Math.min(a,l,c),d=Math.max(s,r,o),f=Math.max(a,l,c),p=i.next;for(;p!==t;){if(p.x>=h&&p.x<=d&&p.y>=u&&p.y<=f&&Ar(s,a,r,l,o,c,p.x,p.y)&&be(p.prev,p,p.next)>=0)return!1;p=p.next}return!0}function U_(n,t,e,i){let s=n.prev,r=n,o=n.next;if(be(s,r,o)>=0)return!1;let a=s.x,l=r.x,c=o.x,h=s.y,u=r.y,d=o.y,f=Math.min(a,l,c),p=Math.min(h,u,d),x=Math.max(a,l,c),m=Math.max(h,u,d),g=gu(f,p,t,e,i),v=gu(x,m,t,e,i),M=n.prevZ,S=n.nextZ;for(;M&&M.z>=g&&S&&S.z<=v;){if(M.x>=f&&M.x<=x&&M.y>=p&&M.y<=m&&M!==s&&M!==o&&Ar(a,h,l,u,c,d,M.x,M.y)&&be(M.prev,M,M.next)>=0||(M=M.prevZ,S.x>=f&&S.x<=x&&S.y>=p&&S.y<=m&&S!==s&&S!==o&&Ar(a,h,l,u,c,d,S.x,S.y)&&be(S.prev,S,S.next)>=0))return!1;S=S.nextZ}for(;M&&M.z>=g;){if(M.x>=f&&M.x<=x&&M.y>=p&&M.y<=m&&M!==s&&M!==o&&Ar(a,h,l,u,c,d,M.x,M.y)&&be(M.prev,M,M.next)>=0)return!1;M=M.prevZ}for(;S&&S.z<=v;){if(S.x>=f&&S.x<=x&&S.y>=p&&S.y<=m&&S!==s&&S!==o&&Ar(a,h,l,u,c,d,S.x,S.y)&&be(S.prev,S,S.next)>=0)return!1;S=S.nextZ}return!0}function F_(n,t){let e=n;do{let i=e.prev,s=e.next.next;!qs(i,s)&&um(i,e,e.next,s)&&to(i,s)&&to(s,i)&&(t.push(i.i,e.i,s.i),eo(e),eo(e.next),e=n=s),e=e.next}while(e!==n);return es(e)}function k_(n,t,e,i,s,r){let o=n;do{let a=o.next.next;for(;a!==o.prev;){if(o.i!==a.i&&q_(o,a)){let l=dm(o,a);o=es(o,o.next),l=es(l,l.next),Qr(o,t,e,i,s,r,0),Qr(l,t,e,i,s,r,0);return}a=a.next}o=o.next}while(o!==n)}function B_(n,t,e,i){let s=[];for(let r=0,o=t.length;r<o;r++){let a=t[r]*i,l=r<o-1?t[r+1]*i:n.length,c=cm(n,a,l,i,!1);c===c.next&&(c.steiner=!0),s.push($_(c))}s.sort(z_);for(let r=0;r<s.length;r++)e=H_(s[r],e);return e}function z_(n,t){let e=n.x-t.x;if(e===0&&(e=n.y-t.y,e===0)){let i=(n.next.y-n.y)/(n.next.x-n.x),s=(t.next.y-t.y)/(t.next.x-t.x);e=i-s}return e}function H_(n,t){let e=G_(n,t);if(!e)return t;let i=dm(e,n);return es(i,i.next),es(e,e.next)}function G_(n,t){let e=t,i=n.x,s=n.y,r=-1/0,o;if(qs(n,e))return e;do{if(qs(n,e.next))return e.next;if(s<=e.y&&s>=e.next.y&&e.next.y!==e.y){let u=e.x+(s-e.y)*(e.next.x-e.x)/(e.next.y-e.y);if(u<=i&&u>r&&(r=u,o=e.x<e.next.x?e:e.next,u===i))return o}e=e.next}while(e!==t);if(!o)return null;let a=o,l=o.x,c=o.y,h=1/0;e=o;do{if(i>=e.x&&e.x>=l&&i!==e.x&&hm(s<c?i:r,s,l,c,s<c?r:i,s,e.x,e.y)){let u=Math.abs(s-e.y)/(i-e.x);to(e,n)&&(u<h||u===h&&(e.x>o.x||e.x===o.x&&V_(o,e)))&&(o=e,h=u)}e=e.next}while(e!==a);return o}function V_(n,t){return be(n.prev,n,t.prev)<0&&be(t.next,n,n.next)<0}function W_(n,t,e,i){let s=n;do s.z===0&&(s.z=gu(s.x,s.y,t,e,i)),s.prevZ=s.prev,s.nextZ=s.next,s=s.next;while(s!==n);s.prevZ.nextZ=null,s.prevZ=null,X_(s)}function X_(n){let t,e=1;do{let i=n,s;n=null;let r=null;for(t=0;i;){t++;let o=i,a=0;for(let c=0;c<e&&(a++,o=o.nextZ,!!o);c++);let l=e;for(;a>0||l>0&&o;)a!==0&&(l===0||!o||i.z<=o.z)?(s=i,i=i.nextZ,a--):(s=o,o=o.nextZ,l--),r?r.nextZ=s:n=s,s.prevZ=r,r=s;i=o}r.nextZ=null,e*=2}while(t>1);return n}function gu(n,t,e,i,s){return n=(n-e)*s|0,t=(t-i)*s|0,n=(n|n<<8)&16711935,n=(n|n<<4)&252645135,n=(n|n<<2)&858993459,n=(n|n<<1)&1431655765,t=(t|t<<8)&16711935,t=(t|t<<4)&252645135,t=(t|t<<2)&858993459,t=(t|t<<1)&1431655765,n|t<<1}function $_(n){let t=n,e=n;do(t.x<e.x||t.x===e.x&&t.y<e.y)&&(e=t),t=t.next;while(t!==n);return e}function hm(n,t,e,i,s,r,o,a){return(s-o)*(t-a)>=(n-o)*(r-a)&&(n-o)*(i-a)>=(e-o)*(t-a)&&(e-o)*(r-a)>=(s-o)*(i-a)}function Ar(n,t,e,i,s,r,o,a){return!(n===o&&t===a)&&hm(n,t,e,i,s,r,o,a)}function q_(n,t){return n.next.i!==t.i&&n.prev.i!==t.i&&!Y_(n,t)&&(to(n,t)&&to(t,n)&&K_(n,t)&&(be(n.prev,n,t.prev)||be(n,t.prev,t))||qs(n,t)&&be(n.prev,n,n.next)>0&&be(t.prev,t,t.next)>0)}function be(n,t,e){return(t.y-n.y)*(e.x-t.x)-(t.x-n.x)*(e.y-t.y)}function qs(n,t){return n.x===t.x&&n.y===t.y}function um(n,t,e,i){let s=Ta(be(n,t,e)),r=Ta(be(n,t,i)),o=Ta(be(e,i,n)),a=Ta(be(e,i,t));return!!(s!==r&&o!==a||s===0&&Ea(n,e,t)||r===0&&Ea(n,i,t)||o===0&&Ea(e,n,i)||a===0&&Ea(e,t,i))}function Ea(n,t,e){return t.x<=Math.max(n.x,e.x)&&t.x>=Math.min(n.x,e.x)&&t.y<=Math.max(n.y,e.y)&&t.y>=Math.min(n.y,e.y)}function Ta(n){return n>0?1:n<0?-1:0}function Y_(n,t){let e=n;do{if(e.i!==n.i&&e.next.i!==n.i&&e.i!==t.i&&e.next.i!==t.i&&um(e,e.next,n,t))return!0;e=e.next}while(e!==n);return!1}function to(n,t){return be(n.prev,n,n.next)<0?be(n,t,n.next)>=0&&be(n,n.prev,t)>=0:be(n,t,n.prev)<0||be(n,n.next,t)<0}function K_(n,t){let e=n,i=!1,s=(n.x+t.x)/2,r=(n.y+t.y)/2;do e.y>r!=e.next.y>r&&e.next.y!==e.y&&s<(e.next.x-e.x)*(r-e.y)/(e.next.y-e.y)+e.x&&(i=!i),e=e.next;while(e!==n);return i}function dm(n,t){let e=yu(n.i,n.x,n.y),i=yu(t.i,t.x,t.y),s=n.next,r=t.prev;return n.next=t,t.prev=n,e.next=s,s.prev=e,i.next=e,e.prev=i,r.next=i,i.prev=r,i}function cp(n,t,e,i){let s=yu(n,t,e);return i?(s.next=i.next,s.prev=i,i.next.prev=s,i.next=s):(s.prev=s,s.next=s),s}function eo(n){n.next.prev=n.prev,n.prev.next=n.next,n.prevZ&&(n.prevZ.nextZ=n.nextZ),n.nextZ&&(n.nextZ.prevZ=n.prevZ)}function yu(n,t,e){return{i:n,x:t,y:e,prev:null,next:null,z:0,prevZ:null,nextZ:null,steiner:!1}}function Z_(n,t,e,i){let s=0;for(let r=t,o=e-i;r<e;r+=i)s+=(n[o]-n[r])*(n[r+1]+n[o+1]),o=r;return s}var xu=class{static triangulate(t,e,i=2){return N_(t,e,i)}},Os=class n{static area(t){let e=t.length,i=0;for(let s=e-1,r=0;r<e;s=r++)i+=t[s].x*t[r].y-t[r].x*t[s].y;return i*.5}static isClockWise(t){return n.area(t)<0}static triangulateShape(t,e){let i=[],s=[],r=[];hp(t),up(i,t);let o=t.length;e.forEach(hp);for(let l=0;l<e.length;l++)s.push(o),o+=e[l].length,up(i,e[l]);let a=xu.triangulate(i,s);for(let l=0;l<a.length;l+=3)r.push(a.slice(l,l+3));return r}};function hp(n){let t=n.length;t>2&&n[t-1].equals(n[0])&&n.pop()}function up(n,t){for(let e=0;e<t.length;e++)n.push(t[e].x),n.push(t[e].y)}var no=class n extends oe{constructor(t=1,e=1,i=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:i,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(i),l=Math.floor(s),c=a+1,h=l+1,u=t/a,d=e/l,f=[],p=[],x=[],m=[];for(let g=0;g<h;g++){let v=g*d-o;for(let M=0;M<c;M++){let S=M*u-r;p.push(S,-v,0),x.push(0,0,1),m.push(M/a),m.push(1-g/l)}}for(let g=0;g<l;g++)for(let v=0;v<a;v++){let M=v+c*g,S=v+c*(g+1),T=v+1+c*(g+1),A=v+1+c*g;f.push(M,S,A),f.push(S,T,A)}this.setIndex(f),this.setAttribute("position",new te(p,3)),this.setAttribute("normal",new te(x,3)),this.setAttribute("uv",new te(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new n(t.width,t.height,t.widthSegments,t.heightSegments)}},io=class n extends oe{constructor(t=.5,e=1,i=32,s=1,r=0,o=Math.PI*2){super(),this.type="RingGeometry",this.parameters={innerRadius:t,outerRadius:e,thetaSegments:i,phiSegments:s,thetaStart:r,thetaLength:o},i=Math.max(3,i),s=Math.max(1,s);let a=[],l=[],c=[],h=[],u=t,d=(e-t)/s,f=new C,p=new dt;for(let x=0;x<=s;x++){for(let m=0;m<=i;m++){let g=r+m/i*o;f.x=u*Math.cos(g),f.y=u*Math.sin(g),l.push(f.x,f.y,f.z),c.push(0,0,1),p.x=(f.x/e+1)/2,p.y=(f.y/e+1)/2,h.push(p.x,p.y)}u+=d}for(let x=0;x<s;x++){let m=x*(i+1);for(let g=0;g<i;g++){let v=g+m,M=v,S=v+i+1,T=v+i+2,A=v+1;a.push(M,S,A),a.push(S,T,A)}}this.setIndex(a),this.setAttribute("position",new te(l,3)),this.setAttribute("normal",new te(c,3)),this.setAttribute("uv",new te(h,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new n(t.innerRadius,t.outerRadius,t.thetaSegments,t.phiSegments,t.thetaStart,t.thetaLength)}},so=class n extends oe{constructor(t=new ts([new dt(0,.5),new dt(-.5,-.5),new dt(.5,-.5)]),e=12){super(),this.type="ShapeGeometry",this.parameters={shapes:t,curveSegments:e};let i=[],s=[],r=[],o=[],a=0,l=0;if(Array.isArray(t)===!1)c(t);else for(let h=0;h<t.length;h++)c(t[h]),this.addGroup(a,l,h),a+=l,l=0;this.setIndex(i),this.setAttribute("position",new te(s,3)),this.setAttribute("normal",new te(r,3)),this.setAttribute("uv",new te(o,2));function c(h){let u=s.length/3,d=h.extractPoints(e),f=d.shape,p=d.holes;Os.isClockWise(f)===!1&&(f=f.reverse());for(let m=0,g=p.length;m<g;m++){let v=p[m];Os.isClockWise(v)===!0&&(p[m]=v.reverse())}let x=Os.triangulateShape(f,p);for(let m=0,g=p.length;m<g;m++){let v=p[m];f=f.concat(v)}for(let m=0,g=f.length;m<g;m++){let v=f[m];s.push(v.x,v.y,0),r.push(0,0,1),o.push(v.x,v.y)}for(let m=0,g=x.length;m<g;m++){let v=x[m],M=v[0]+u,S=v[1]+u,T=v[2]+u;i.push(M,S,T),l+=3}}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}toJSON(){let t=super.toJSON(),e=this.parameters.shapes;return J_(e,t)}static fromJSON(t,e){let i=[];for(let s=0,r=t.shapes.length;s<r;s++){let o=e[t.shapes[s]];i.push(o)}return new n(i,t.curveSegments)}};function J_(n,t){if(t.shapes=[],Array.isArray(n))for(let e=0,i=n.length;e<i;e++){let s=n[e];t.shapes.push(s.uuid)}else t.shapes.push(n.uuid);return t}var Xn=class n extends oe{constructor(t=1,e=32,i=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:i,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),i=Math.max(2,Math.floor(i));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new C,d=new C,f=[],p=[],x=[],m=[];for(let g=0;g<=i;g++){let v=[],M=g/i,S=o+M*a,T=t*Math.cos(S),A=Math.sqrt(t*t-T*T),y=0;g===0&&o===0?y=.5/e:g===i&&l===Math.PI&&(y=-.5/e);for(let w=0;w<=e;w++){let L=w/e,I=s+L*r;u.x=-A*Math.cos(I),u.y=T,u.z=A*Math.sin(I),p.push(u.x,u.y,u.z),d.copy(u).normalize(),x.push(d.x,d.y,d.z),m.push(L+y,1-M),v.push(c++)}h.push(v)}for(let g=0;g<i;g++)for(let v=0;v<e;v++){let M=h[g][v+1],S=h[g][v],T=h[g+1][v],A=h[g+1][v+1];(g!==0||o>0)&&f.push(M,S,A),(g!==i-1||l<Math.PI)&&f.push(S,T,A)}this.setIndex(f),this.setAttribute("position",new te(p,3)),this.setAttribute("normal",new te(x,3)),this.setAttribute("uv",new te(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new n(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};function os(n){let t={};for(let e in n){t[e]={};for(let i in n[e]){let s=n[e][i];if(dp(s))s.isRenderTargetTexture?(Ct("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][i]=null):t[e][i]=s.clone();else if(Array.isArray(s))if(dp(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();t[e][i]=r}else t[e][i]=s.slice();else t[e][i]=s}}return t}function Ke(n){let t={};for(let e=0;e<n.length;e++){let i=os(n[e]);for(let s in i)t[s]=i[s]}return t}function dp(n){return n&&(n.isColor||n.isMatrix3||n.isMatrix4||n.isVector2||n.isVector3||n.isVector4||n.isTexture||n.isQuaternion)}function j_(n){let t=[];for(let e=0;e<n.length;e++)t.push(n[e].clone());return t}function ju(n){let t=n.getRenderTarget();return t===null?n.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:Zt.workingColorSpace}var fm={clone:os,merge:Ke},Q_=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,tv=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Tn=class extends ui{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Q_,this.fragmentShader=tv,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=os(t.uniforms),this.uniformsGroups=j_(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this.defaultAttributeValues=Object.assign({},t.defaultAttributeValues),this.index0AttributeName=t.index0AttributeName,this.uniformsNeedUpdate=t.uniformsNeedUpdate,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let i={};for(let s in this.extensions)this.extensions[s]===!0&&(i[s]=!0);return Object.keys(i).length>0&&(e.extensions=i),e}fromJSON(t,e){if(super.fromJSON(t,e),t.uniforms!==void 0)for(let i in t.uniforms){let s=t.uniforms[i];switch(this.uniforms[i]={},s.type){case"t":this.uniforms[i].value=e[s.value]||null;break;case"c":this.uniforms[i].value=new Rt().setHex(s.value);break;case"v2":this.uniforms[i].value=new dt().fromArray(s.value);break;case"v3":this.uniforms[i].value=new C().fromArray(s.value);break;case"v4":this.uniforms[i].value=new re().fromArray(s.value);break;case"m3":this.uniforms[i].value=new Ut().fromArray(s.value);break;case"m4":this.uniforms[i].value=new kt().fromArray(s.value);break;default:this.uniforms[i].value=s.value}}if(t.defines!==void 0&&(this.defines=t.defines),t.vertexShader!==void 0&&(this.vertexShader=t.vertexShader),t.fragmentShader!==void 0&&(this.fragmentShader=t.fragmentShader),t.glslVersion!==void 0&&(this.glslVersion=t.glslVersion),t.extensions!==void 0)for(let i in t.extensions)this.extensions[i]=t.extensions[i];return t.lights!==void 0&&(this.lights=t.lights),t.clipping!==void 0&&(this.clipping=t.clipping),this}},il=class extends Tn{constructor(t){super(t),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var On=class extends ui{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new Rt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Rt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=rc,this.normalScale=new dt(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new hi,this.combine=xl,this.reflectivity=1,this.envMapIntensity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.envMapIntensity=t.envMapIntensity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},sl=class extends ui{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=qp,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},rl=class extends ui{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function Rs(n,t){return!n||n.constructor===t?n:typeof t.BYTES_PER_ELEMENT=="number"?new t(n):Array.prototype.slice.call(n)}function Aa(n){return n!==void 0&&n.inTangents!==void 0&&n.outTangents!==void 0}var Ri=class{constructor(t,e,i,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(i),this.sampleValues=e,this.valueSize=i,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,i=this._cachedIndex,s=e[i],r=e[i-1];t:{e:{let o;n:{i:if(!(t<s)){for(let a=i+2;;){if(s===void 0){if(t<r)break i;return i=e.length,this._cachedIndex=i,this.copySampleValue_(i-1)}if(i===a)break;if(r=s,s=e[++i],t<s)break e}o=e.length;break n}if(!(t>=r)){let a=e[1];t<a&&(i=2,r=a);for(let l=i-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(i===l)break;if(s=r,r=e[--i-1],t>=r)break e}o=i,i=0;break n}break t}for(;i<o;){let a=i+o>>>1;t<e[a]?o=a:i=a+1}if(s=e[i],r=e[i-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return i=e.length,this._cachedIndex=i,this.copySampleValue_(i-1)}this._cachedIndex=i,this.intervalChanged_(i,r,s)}return this.interpolate_(i,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,i=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=i[r+o];return e}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},ol=class extends Ri{constructor(t,e,i,s){super(t,e,i,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:fu,endingEnd:fu}}intervalChanged_(t,e,i){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case pu:r=t,a=2*e-i;break;case mu:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=i}if(l===void 0)switch(this.getSettings_().endingEnd){case pu:o=t,l=2*i-e;break;case mu:o=1,l=i+s[1]-s[0];break;default:o=t-1,l=e}let c=(i-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-i),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,p=(i-e)/(s-e),x=p*p,m=x*p,g=-d*m+2*d*x-d*p,v=(1+d)*m+(-1.5-2*d)*x+(-.5+d)*p+1,M=(-1-f)*m+(1.5+f)*x+.5*p,S=f*m-f*x;for(let T=0;T!==a;++T)r[T]=g*o[h+T]+v*o[c+T]+M*o[l+T]+S*o[u+T];return r}},al=class extends Ri{constructor(t,e,i,s){super(t,e,i,s)}interpolate_(t,e,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(i-e)/(s-e),u=1-h;for(let d=0;d!==a;++d)r[d]=o[c+d]*u+o[l+d]*h;return r}},ll=class extends Ri{constructor(t,e,i,s){super(t,e,i,s)}interpolate_(t){return this.copySampleValue_(t-1)}},cl=class extends Ri{interpolate_(t,e,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let p=(i-e)/(s-e),x=1-p;for(let m=0;m!==a;++m)r[m]=o[c+m]*x+o[l+m]*p;return r}let d=a*2,f=t-1;for(let p=0;p!==a;++p){let x=o[c+p],m=o[l+p],g=f*d+p*2,v=u[g],M=u[g+1],S=t*d+p*2,T=h[S],A=h[S+1],y=nv(i,e,v,T,s);r[p]=pm(y,x,M,A,m)}return r}};function pm(n,t,e,i,s){let r=1-n;return r*r*r*t+3*r*r*n*e+3*r*n*n*i+n*n*n*s}function ev(n,t,e,i,s){let r=1-n;return 3*r*r*(e-t)+6*r*n*(i-e)+3*n*n*(s-i)}function nv(n,t,e,i,s){let r=(n-t)/(s-t);for(let o=0;o<8;o++){let a=pm(r,t,e,i,s)-n;if(Math.abs(a)<1e-10)break;let l=ev(r,t,e,i,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var gn=class{constructor(t,e,i,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=Rs(e,this.TimeBufferType),this.values=Rs(i,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,i;if(e.toJSON!==this.toJSON)i=e.toJSON(t);else{i={name:t.name,times:Rs(t.times,Array),values:Rs(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(i.interpolation=s),Aa(t.settings)&&(i.settings={inTangents:Rs(t.settings.inTangents,Array),outTangents:Rs(t.settings.outTangents,Array)})}return i.type=t.ValueTypeName,i}InterpolantFactoryMethodDiscrete(t){return new ll(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new al(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new ol(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodBezier(t){let e=new cl(this.times,this.values,this.getValueSize(),t);return this.settings&&(e.inTangents=this.settings.inTangents,e.outTangents=this.settings.outTangents),e}setInterpolation(t){let e;switch(t){case Lr:e=this.InterpolantFactoryMethodDiscrete;break;case Ga:e=this.InterpolantFactoryMethodLinear;break;case Ia:e=this.InterpolantFactoryMethodSmooth;break;case du:e=this.InterpolantFactoryMethodBezier;break}if(e===void 0){let i="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(i);return Ct("KeyframeTrack:",i),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Lr;case this.InterpolantFactoryMethodLinear:return Ga;case this.InterpolantFactoryMethodSmooth:return Ia;case this.InterpolantFactoryMethodBezier:return du}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let i=0,s=e.length;i!==s;++i)e[i]+=t;Aa(this.settings)&&(fp(this.settings.inTangents,t),fp(this.settings.outTangents,t))}return this}scale(t){if(t!==1){let e=this.times;for(let i=0,s=e.length;i!==s;++i)e[i]*=t;Aa(this.settings)&&(pp(this.settings.inTangents,t),pp(this.settings.outTangents,t))}return this}trim(t,e){let i=this.times,s=i.length,r=0,o=s-1;for(;r!==s&&i[r]<t;)++r;for(;o!==-1&&i[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=i.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(Ot("KeyframeTrack: Invalid value size in track.",this),t=!1);let i=this.times,s=this.values,r=i.length;r===0&&(Ot("KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=i[a];if(typeof l=="number"&&isNaN(l)){Ot("KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){Ot("KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&Wx(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){Ot("KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),i=this.getValueSize(),s=this.getInterpolation()===Ia,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let u=a*i,d=u-i,f=u+i;for(let p=0;p!==i;++p){let x=e[u+p];if(x!==e[d+p]||x!==e[f+p]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let u=a*i,d=o*i;for(let f=0;f!==i;++f)e[d+f]=e[u+f]}++o}}if(r>0){t[o]=t[r];for(let a=r*i,l=o*i,c=0;c!==i;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*i)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),i=this.constructor,s=new i(this.name,t,e);return s.createInterpolant=this.createInterpolant,Aa(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function fp(n,t){for(let e=0,i=n.length;e!==i;e+=2)n[e]+=t}function pp(n,t){for(let e=0,i=n.length;e!==i;e+=2)n[e]*=t}gn.prototype.ValueTypeName="";gn.prototype.TimeBufferType=Float32Array;gn.prototype.ValueBufferType=Float32Array;gn.prototype.DefaultInterpolation=Ga;var Ii=class extends gn{constructor(t,e,i){super(t,e,i)}};Ii.prototype.ValueTypeName="bool";Ii.prototype.ValueBufferType=Array;Ii.prototype.DefaultInterpolation=Lr;Ii.prototype.InterpolantFactoryMethodLinear=void 0;Ii.prototype.InterpolantFactoryMethodSmooth=void 0;var hl=class extends gn{constructor(t,e,i,s){super(t,e,i,s)}};hl.prototype.ValueTypeName="color";var ul=class extends gn{constructor(t,e,i,s){super(t,e,i,s)}};ul.prototype.ValueTypeName="number";var dl=class extends Ri{constructor(t,e,i,s){super(t,e,i,s)}interpolate_(t,e,i,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(i-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)Qe.slerpFlat(r,0,o,c-a,o,c,l);return r}},ro=class extends gn{constructor(t,e,i,s){super(t,e,i,s)}InterpolantFactoryMethodLinear(t){return new dl(this.times,this.values,this.getValueSize(),t)}};ro.prototype.ValueTypeName="quaternion";ro.prototype.InterpolantFactoryMethodSmooth=void 0;var Li=class extends gn{constructor(t,e,i){super(t,e,i)}};Li.prototype.ValueTypeName="string";Li.prototype.ValueBufferType=Array;Li.prototype.DefaultInterpolation=Lr;Li.prototype.InterpolantFactoryMethodLinear=void 0;Li.prototype.InterpolantFactoryMethodSmooth=void 0;var fl=class extends gn{constructor(t,e,i,s){super(t,e,i,s)}};fl.prototype.ValueTypeName="vector";var pl=class{constructor(t,e,i){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=i,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,d=c.length;u<d;u+=2){let f=c[u],p=c[u+1];if(f.global&&(f.lastIndex=0),f.test(h))return p}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},mm=new pl,ml=class{constructor(t){this.manager=t!==void 0?t:mm,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(t,e){let i=this;return new Promise(function(s,r){i.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}setPriority(t){return this.priority=t,this}setCache(t){return this.cache=t,this}abort(){return this}};ml.DEFAULT_MATERIAL_NAME="__DEFAULT";var oo=class extends Pe{static registerNode(t){this.prototype._lightNode=t}constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new Rt(t),this.intensity=e}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,e}},ao=class extends oo{constructor(t,e,i){super(t,i),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(Pe.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Rt(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}toJSON(t){let e=super.toJSON(t);return e.object.groundColor=this.groundColor.getHex(),e}},cu=new kt,mp=new C,gp=new C,gl=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.biasNode=null,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new dt(512,512),this.mapType=an,this.map=null,this.mapPass=null,this.matrix=new kt,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new Pi,this._frameExtents=new dt(1,1),this._viewportCount=1,this._viewports=[new re(0,0,1,1)]}getViewportCount(){return this._viewportCount}getCamera(){return this.camera}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera;mp.setFromMatrixPosition(t.matrixWorld),e.position.copy(mp),gp.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(gp),e.updateMatrixWorld(),this._updateMatrix(e,this.matrix,this._frustum)}_updateMatrix(t,e,i,s){cu.multiplyMatrices(t.projectionMatrix,t.matrixWorldInverse),i.setFromProjectionMatrix(cu,t.coordinateSystem,t.reversedDepth);let r=this._frameExtents,o=s?s.z/r.x:1,a=s?s.w/r.y:1,l=s?s.x/r.x:0,c=s?s.y/r.y:0;t.coordinateSystem===Fs||t.reversedDepth?e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,1,0,0,0,0,1):e.set(.5*o,0,0,.5*o+l,0,.5*a,0,.5*a+c,0,0,.5,.5,0,0,0,1),e.multiply(cu)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.autoUpdate=t.autoUpdate,this.needsUpdate=t.needsUpdate,this.normalBias=t.normalBias,this.blurSamples=t.blurSamples,this.mapSize.copy(t.mapSize),this.mapType=t.mapType,this.biasNode=t.biasNode,this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return t.intensity=this.intensity,t.bias=this.bias,t.normalBias=this.normalBias,t.radius=this.radius,t.blurSamples=this.blurSamples,t.mapSize=this.mapSize.toArray(),t.mapType=this.mapType,t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}},Ca=new C,Pa=new Qe,Vn=new C,lo=class extends Pe{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new kt,this.projectionMatrix=new kt,this.projectionMatrixInverse=new kt,this.coordinateSystem=wn,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorld.decompose(Ca,Pa,Vn),Vn.x===1&&Vn.y===1&&Vn.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Ca,Pa,Vn.set(1,1,1)).invert()}updateWorldMatrix(t,e,i=!1){super.updateWorldMatrix(t,e,i),this.matrixWorld.decompose(Ca,Pa,Vn),Vn.x===1&&Vn.y===1&&Vn.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(Ca,Pa,Vn.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Ci=new C,yp=new dt,xp=new dt,Je=class extends lo{constructor(t=50,e=1,i=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=i,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=Bs*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Ds*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Bs*2*Math.atan(Math.tan(Ds*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,i){Ci.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(Ci.x,Ci.y).multiplyScalar(-t/Ci.z),Ci.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),i.set(Ci.x,Ci.y).multiplyScalar(-t/Ci.z)}getViewSize(t,e){return this.getViewBounds(t,yp,xp),e.subVectors(xp,yp)}setViewOffset(t,e,i,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=i,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Ds*.5*this.fov)/this.zoom,i=2*e,s=this.aspect*i,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*i/c,s*=o.width/l,i*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-i,t,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}};var co=class extends lo{constructor(t=-1,e=1,i=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=i,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,i,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=i,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),i=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=i-t,o=i+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},_u=class extends gl{constructor(){super(new co(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},ho=class extends oo{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(Pe.DEFAULT_UP),this.updateMatrix(),this.target=new Pe,this.shadow=new _u}dispose(){super.dispose(),this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}toJSON(t){let e=super.toJSON(t);return e.object.shadow=this.shadow.toJSON(),e.object.target=this.target.uuid,e}};var Is=-90,Ls=1,Ys=class extends Pe{constructor(t,e,i){super(),this.type="CubeCamera",this.renderTarget=i,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Je(Is,Ls,t,e);s.layers=this.layers,this.add(s);let r=new Je(Is,Ls,t,e);r.layers=this.layers,this.add(r);let o=new Je(Is,Ls,t,e);o.layers=this.layers,this.add(o);let a=new Je(Is,Ls,t,e);a.layers=this.layers,this.add(a);let l=new Je(Is,Ls,t,e);l.layers=this.layers,this.add(l);let c=new Je(Is,Ls,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[i,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===wn)i.up.set(0,1,0),i.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Fs)i.up.set(0,-1,0),i.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:i,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=t.getRenderTarget(),d=t.getActiveCubeFace(),f=t.getActiveMipmapLevel(),p=t.xr.enabled;t.xr.enabled=!1;let x=i.texture.mipmapsAutoUpdate;i.texture.mipmapsAutoUpdate=!1;let m=!1;t.isWebGLRenderer===!0?m=t.state.buffers.depth.getReversed():m=t.reversedDepthBuffer,t.setRenderTarget(i,0,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,r),t.setRenderTarget(i,1,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,o),t.setRenderTarget(i,2,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,a),t.setRenderTarget(i,3,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,l),t.setRenderTarget(i,4,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,c),i.texture.mipmapsAutoUpdate=x,t.setRenderTarget(i,5,s),m&&t.autoClear===!1&&t.clearDepth(),t.render(e,h),t.setRenderTarget(u,d,f),t.xr.enabled=p,i.texture.needsPMREMUpdate=!0}},yl=class extends Je{constructor(t=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=t,this.perCameraFrustumCulled=!1}};var Qu="\\[\\]\\.:\\/",iv=new RegExp("["+Qu+"]","g"),td="[^"+Qu+"]",sv="[^"+Qu.replace("\\.","")+"]",rv=/((?:WC+[\/:])*)/.source.replace("WC",td),ov=/(WCOD+)?/.source.replace("WCOD",sv),av=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",td),lv=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",td),cv=new RegExp("^"+rv+ov+av+lv+"$"),hv=["material","materials","bones","map"],vu=class{constructor(t,e,i){let s=i||pe.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let i=this._targetGroup.nCachedObjects_,s=this._bindings[i];s!==void 0&&s.getValue(t,e)}setValue(t,e){let i=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=i.length;s!==r;++s)i[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,i=t.length;e!==i;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,i=t.length;e!==i;++e)t[e].unbind()}},pe=class n{constructor(t,e,i){this.path=e,this.parsedPath=i||n.parseTrackName(e),this.node=n.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,i){return t&&t.isAnimationObjectGroup?new n.Composite(t,e,i):new n(t,e,i)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(iv,"")}static parseTrackName(t){let e=cv.exec(t);if(e===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+t);let i={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=i.nodeName&&i.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=i.nodeName.substring(s+1);hv.indexOf(r)!==-1&&(i.nodeName=i.nodeName.substring(0,s),i.objectName=r)}if(i.propertyName===null||i.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+t);return i}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let i=t.skeleton.getBoneByName(e);if(i!==void 0)return i}if(t.children){let i=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=i(a.children);if(l)return l}return null},s=i(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)t[e++]=i[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)i[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)i[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let i=this.resolvedProperty;for(let s=0,r=i.length;s!==r;++s)i[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,i=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=n.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){Ct("PropertyBinding: No target node found for track: "+this.path+".");return}if(i){let c=e.objectIndex;switch(i){case"materials":if(!t.material){Ot("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){Ot("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){Ot("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){Ot("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){Ot("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[i]===void 0){Ot("PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[i]}if(c!==void 0){if(t[c]===void 0){Ot("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;Ot("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.isMaterial===!0?a=this.Versioning.NeedsUpdate:t.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){Ot("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){Ot("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};pe.Composite=vu;pe.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};pe.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};pe.prototype.GetterByBindingType=[pe.prototype._getValue_direct,pe.prototype._getValue_array,pe.prototype._getValue_arrayElement,pe.prototype._getValue_toArray];pe.prototype.SetterByBindingTypeAndVersioning=[[pe.prototype._setValue_direct,pe.prototype._setValue_direct_setNeedsUpdate,pe.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[pe.prototype._setValue_array,pe.prototype._setValue_array_setNeedsUpdate,pe.prototype._setValue_array_setMatrixWorldNeedsUpdate],[pe.prototype._setValue_arrayElement,pe.prototype._setValue_arrayElement_setNeedsUpdate,pe.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[pe.prototype._setValue_fromArray,pe.prototype._setValue_fromArray_setNeedsUpdate,pe.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var hR=new Float32Array(1);var _p=new kt,uo=class{constructor(t,e,i=0,s=1/0){this.ray=new di(t,e),this.near=i,this.far=s,this.camera=null,this.layers=new Hs,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,e.projectionMatrix.elements[14]).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):Ot("Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return _p.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(_p),this}intersectObject(t,e=!0,i=[]){return bu(t,this,i,e),i.sort(vp),i}intersectObjects(t,e=!0,i=[]){for(let s=0,r=t.length;s<r;s++)bu(t[s],this,i,e);return i.sort(vp),i}};function vp(n,t){return n.distance-t.distance}function bu(n,t,e,i){let s=!0;if(n.layers.test(t.layers)&&n.raycast(t,e)===!1&&(s=!1),s===!0&&i===!0){let r=n.children;for(let o=0,a=r.length;o<a;o++)bu(r[o],t,e,!0)}}var Ks=class{constructor(t=1,e=0,i=0){this.radius=t,this.phi=e,this.theta=i}set(t,e,i){return this.radius=t,this.phi=e,this.theta=i,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=Xt(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,i){return this.radius=Math.sqrt(t*t+e*e+i*i),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,i),this.phi=Math.acos(Xt(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var Su=class{static{this.prototype.isMatrix2=!0}constructor(t,e,i,s){this.elements=[1,0,0,1],t!==void 0&&this.set(t,e,i,s)}identity(){return this.set(1,0,0,1),this}fromArray(t,e=0){for(let i=0;i<4;i++)this.elements[i]=t[i+e];return this}set(t,e,i,s){let r=this.elements;return r[0]=t,r[2]=e,r[1]=i,r[3]=s,this}};var bp=new C,Ra,hu,fo=class extends Pe{constructor(t=new C(0,0,1),e=new C(0,0,0),i=1,s=16776960,r=i*.2,o=r*.2){super(),this.type="ArrowHelper",Ra===void 0&&(Ra=new oe,Ra.setAttribute("position",new te([0,0,0,0,1,0],3)),hu=new Za(.5,1,5,1),hu.translate(0,-.5,0)),this.position.copy(e),this.line=new Gr(Ra,new En({color:s,toneMapped:!1})),this.line.matrixAutoUpdate=!1,this.add(this.line),this.cone=new le(hu,new nn({color:s,toneMapped:!1})),this.cone.matrixAutoUpdate=!1,this.add(this.cone),this.setDirection(t),this.setLength(i,r,o)}setDirection(t){if(t.y>.99999)this.quaternion.set(0,0,0,1);else if(t.y<-.99999)this.quaternion.set(1,0,0,0);else{bp.set(t.z,0,-t.x).normalize();let e=Math.acos(t.y);this.quaternion.setFromAxisAngle(bp,e)}}setLength(t,e=t*.2,i=e*.2){this.line.scale.set(1,Math.max(1e-4,t-e),1),this.line.updateMatrix(),this.cone.scale.set(i,e,i),this.cone.position.y=t,this.cone.updateMatrix()}setColor(t){this.line.material.color.set(t),this.cone.material.color.set(t)}copy(t){return super.copy(t,!1),this.line.copy(t.line),this.cone.copy(t.cone),this}dispose(){super.dispose(),this.line.geometry.dispose(),this.line.material.dispose(),this.cone.geometry.dispose(),this.cone.material.dispose()}};var po=class extends Ln{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(t){this.domElement!==null&&this.disconnect(),this.domElement=t}disconnect(){}dispose(){}update(){}};function ed(n,t,e,i){let s=uv(i);switch(e){case Hu:return n*t;case El:return n*t/s.components*s.byteLength;case Tl:return n*t/s.components*s.byteLength;case Oi:return n*t*2/s.components*s.byteLength;case Al:return n*t*2/s.components*s.byteLength;case Gu:return n*t*3/s.components*s.byteLength;case An:return n*t*4/s.components*s.byteLength;case Cl:return n*t*4/s.components*s.byteLength;case yo:case xo:return Math.floor((n+3)/4)*Math.floor((t+3)/4)*8;case _o:case vo:return Math.floor((n+3)/4)*Math.floor((t+3)/4)*16;case Rl:case Ll:return Math.max(n,16)*Math.max(t,8)/4;case Pl:case Il:return Math.max(n,8)*Math.max(t,8)/2;case Dl:case Nl:case Ul:case Fl:return Math.floor((n+3)/4)*Math.floor((t+3)/4)*8;case Ol:case bo:case kl:return Math.floor((n+3)/4)*Math.floor((t+3)/4)*16;case Bl:return Math.floor((n+3)/4)*Math.floor((t+3)/4)*16;case zl:return Math.floor((n+4)/5)*Math.floor((t+3)/4)*16;case Hl:return Math.floor((n+4)/5)*Math.floor((t+4)/5)*16;case Gl:return Math.floor((n+5)/6)*Math.floor((t+4)/5)*16;case Vl:return Math.floor((n+5)/6)*Math.floor((t+5)/6)*16;case Wl:return Math.floor((n+7)/8)*Math.floor((t+4)/5)*16;case Xl:return Math.floor((n+7)/8)*Math.floor((t+5)/6)*16;case $l:return Math.floor((n+7)/8)*Math.floor((t+7)/8)*16;case ql:return Math.floor((n+9)/10)*Math.floor((t+4)/5)*16;case Yl:return Math.floor((n+9)/10)*Math.floor((t+5)/6)*16;case Kl:return Math.floor((n+9)/10)*Math.floor((t+7)/8)*16;case Zl:return Math.floor((n+9)/10)*Math.floor((t+9)/10)*16;case Jl:return Math.floor((n+11)/12)*Math.floor((t+9)/10)*16;case jl:return Math.floor((n+11)/12)*Math.floor((t+11)/12)*16;case Ql:case tc:case ec:return Math.ceil(n/4)*Math.ceil(t/4)*16;case nc:case ic:return Math.ceil(n/4)*Math.ceil(t/4)*8;case So:case sc:return Math.ceil(n/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function uv(n){switch(n){case an:case Fu:return{byteLength:1,components:1};case Qs:case ku:case Fn:return{byteLength:2,components:1};case Ml:case wl:return{byteLength:2,components:4};case Un:case Sl:case yn:return{byteLength:4,components:1};case Bu:case zu:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${n}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?Ct("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function Fm(){let n=null,t=!1,e=null,i=null;function s(r,o){i=n.requestAnimationFrame(s),e(r,o)}return{start:function(){t!==!0&&e!==null&&n!==null&&(i=n.requestAnimationFrame(s),t=!0)},stop:function(){n!==null&&n.cancelAnimationFrame(i),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){n=r}}}function fv(n){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,u=c.byteLength,d=n.createBuffer();n.bindBuffer(l,d),n.bufferData(l,c,h),a.onUploadCallback();let f;if(c instanceof Float32Array)f=n.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)f=n.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?f=n.HALF_FLOAT:f=n.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=n.SHORT;else if(c instanceof Uint32Array)f=n.UNSIGNED_INT;else if(c instanceof Int32Array)f=n.INT;else if(c instanceof Int8Array)f=n.BYTE;else if(c instanceof Uint8Array)f=n.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=n.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function i(a,l,c){let h=l.array,u=l.updateRanges;if(n.bindBuffer(c,a),u.length===0)n.bufferSubData(c,0,h);else{u.sort((f,p)=>f.start-p.start);let d=0;for(let f=1;f<u.length;f++){let p=u[d],x=u[f];x.start<=p.start+p.count+1?p.count=Math.max(p.count,x.start+x.count-p.start):(++d,u[d]=x)}u.length=d+1;for(let f=0,p=u.length;f<p;f++){let x=u[f];n.bufferSubData(c,x.start*h.BYTES_PER_ELEMENT,h,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(n.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");i(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var pv=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,mv=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,gv=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,yv=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,xv=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,_v=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,vv=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,bv=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,Sv=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,Mv=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,wv=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,Ev=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Tv=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,Av=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Cv=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Pv=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Rv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Iv=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,Lv=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Dv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Nv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,Ov=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Uv=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,Fv=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,kv=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,Bv=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,zv=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,Hv=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,Gv=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,Vv="gl_FragColor = linearToOutputTexel( gl_FragColor );",Wv=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,Xv=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,$v=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,qv=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,Yv=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,Kv=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,Zv=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,Jv=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,jv=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,Qv=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,tb=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,eb=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,nb=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,ib=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,sb=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,rb=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,ob=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,ab=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,lb=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,cb=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,hb=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,ub=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,db=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,fb=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,pb=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,mb=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,gb=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,yb=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,xb=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,_b=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,vb=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,bb=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,Sb=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,Mb=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,wb=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Eb=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Tb=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Ab=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Cb=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Pb=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Rb=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,Ib=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,Lb=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Db=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Nb=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Ob=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,Ub=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,Fb=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,kb=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,Bb=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,zb=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,Hb=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,Gb=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,Vb=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,Wb=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,Xb=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,$b=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,qb=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,Yb=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,Kb=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,Zb=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,Jb=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,jb=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,Qb=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,tS=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,eS=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,nS=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,iS=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,sS=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,rS=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,oS=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,aS=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,lS=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,cS=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,hS=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,uS=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,dS=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,fS=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,pS=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,mS=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,gS=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,yS=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,xS=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,_S=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,vS=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,bS=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,SS=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,MS=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,wS=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,ES=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,TS=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,AS=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,CS=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,PS=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,RS=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,IS=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,LS=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,DS=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,NS=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,OS=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,US=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,FS=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,kS=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,BS=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,zS=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,HS=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,GS=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,VS=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,WS=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,XS=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,$S=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,$t={alphahash_fragment:pv,alphahash_pars_fragment:mv,alphamap_fragment:gv,alphamap_pars_fragment:yv,alphatest_fragment:xv,alphatest_pars_fragment:_v,aomap_fragment:vv,aomap_pars_fragment:bv,batching_pars_vertex:Sv,batching_vertex:Mv,begin_vertex:wv,beginnormal_vertex:Ev,bsdfs:Tv,iridescence_fragment:Av,bumpmap_pars_fragment:Cv,clipping_planes_fragment:Pv,clipping_planes_pars_fragment:Rv,clipping_planes_pars_vertex:Iv,clipping_planes_vertex:Lv,color_fragment:Dv,color_pars_fragment:Nv,color_pars_vertex:Ov,color_vertex:Uv,common:Fv,defaultnormal_vertex:kv,displacementmap_pars_vertex:Bv,displacementmap_vertex:zv,emissivemap_fragment:Hv,emissivemap_pars_fragment:Gv,colorspace_fragment:Vv,colorspace_pars_fragment:Wv,envmap_fragment:Xv,envmap_common_pars_fragment:$v,envmap_pars_fragment:qv,envmap_pars_vertex:Yv,envmap_physical_pars_fragment:rb,envmap_vertex:Kv,fog_vertex:Zv,fog_pars_vertex:Jv,fog_fragment:jv,fog_pars_fragment:Qv,gradientmap_pars_fragment:tb,lightmap_pars_fragment:eb,lights_lambert_fragment:nb,lights_lambert_pars_fragment:ib,lights_pars_begin:sb,lights_toon_fragment:ob,lights_toon_pars_fragment:ab,lights_phong_fragment:lb,lights_phong_pars_fragment:cb,lights_physical_fragment:hb,lights_physical_pars_fragment:ub,lights_fragment_begin:db,lights_fragment_maps:fb,lights_fragment_end:pb,lightprobes_pars_fragment:mb,logdepthbuf_fragment:gb,logdepthbuf_pars_fragment:yb,logdepthbuf_pars_vertex:xb,logdepthbuf_vertex:_b,map_fragment:vb,map_pars_fragment:bb,map_particle_fragment:Sb,map_particle_pars_fragment:Mb,metalnessmap_fragment:wb,metalnessmap_pars_fragment:Eb,morphinstance_vertex:Tb,morphcolor_vertex:Ab,morphnormal_vertex:Cb,morphtarget_pars_vertex:Pb,morphtarget_vertex:Rb,normal_fragment_begin:Ib,normal_fragment_maps:Lb,normal_pars_fragment:Db,normal_pars_vertex:Nb,normal_vertex:Ob,normalmap_pars_fragment:Ub,clearcoat_normal_fragment_begin:Fb,clearcoat_normal_fragment_maps:kb,clearcoat_pars_fragment:Bb,iridescence_pars_fragment:zb,opaque_fragment:Hb,packing:Gb,premultiplied_alpha_fragment:Vb,project_vertex:Wb,dithering_fragment:Xb,dithering_pars_fragment:$b,roughnessmap_fragment:qb,roughnessmap_pars_fragment:Yb,shadowmap_pars_fragment:Kb,shadowmap_pars_vertex:Zb,shadowmap_vertex:Jb,shadowmask_pars_fragment:jb,skinbase_vertex:Qb,skinning_pars_vertex:tS,skinning_vertex:eS,skinnormal_vertex:nS,specularmap_fragment:iS,specularmap_pars_fragment:sS,tonemapping_fragment:rS,tonemapping_pars_fragment:oS,transmission_fragment:aS,transmission_pars_fragment:lS,uv_pars_fragment:cS,uv_pars_vertex:hS,uv_vertex:uS,worldpos_vertex:dS,background_vert:fS,background_frag:pS,backgroundCube_vert:mS,backgroundCube_frag:gS,cube_vert:yS,cube_frag:xS,depth_vert:_S,depth_frag:vS,distance_vert:bS,distance_frag:SS,equirect_vert:MS,equirect_frag:wS,linedashed_vert:ES,linedashed_frag:TS,meshbasic_vert:AS,meshbasic_frag:CS,meshlambert_vert:PS,meshlambert_frag:RS,meshmatcap_vert:IS,meshmatcap_frag:LS,meshnormal_vert:DS,meshnormal_frag:NS,meshphong_vert:OS,meshphong_frag:US,meshphysical_vert:FS,meshphysical_frag:kS,meshtoon_vert:BS,meshtoon_frag:zS,points_vert:HS,points_frag:GS,shadow_vert:VS,shadow_frag:WS,sprite_vert:XS,sprite_frag:$S},gt={common:{diffuse:{value:new Rt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new Ut},alphaMap:{value:null},alphaMapTransform:{value:new Ut},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new Ut}},envmap:{envMap:{value:null},envMapRotation:{value:new Ut},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new Ut}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new Ut}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new Ut},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new Ut},normalScale:{value:new dt(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new Ut},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new Ut}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new Ut}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new Ut}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Rt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Rt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new Ut},alphaTest:{value:0},uvTransform:{value:new Ut}},sprite:{diffuse:{value:new Rt(16777215)},opacity:{value:1},center:{value:new dt(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new Ut},alphaMap:{value:null},alphaMapTransform:{value:new Ut},alphaTest:{value:0}}},Zn={basic:{uniforms:Ke([gt.common,gt.specularmap,gt.envmap,gt.aomap,gt.lightmap,gt.fog]),vertexShader:$t.meshbasic_vert,fragmentShader:$t.meshbasic_frag},lambert:{uniforms:Ke([gt.common,gt.specularmap,gt.envmap,gt.aomap,gt.lightmap,gt.emissivemap,gt.bumpmap,gt.normalmap,gt.displacementmap,gt.fog,gt.lights,{emissive:{value:new Rt(0)},envMapIntensity:{value:1}}]),vertexShader:$t.meshlambert_vert,fragmentShader:$t.meshlambert_frag},phong:{uniforms:Ke([gt.common,gt.specularmap,gt.envmap,gt.aomap,gt.lightmap,gt.emissivemap,gt.bumpmap,gt.normalmap,gt.displacementmap,gt.fog,gt.lights,{emissive:{value:new Rt(0)},specular:{value:new Rt(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:$t.meshphong_vert,fragmentShader:$t.meshphong_frag},standard:{uniforms:Ke([gt.common,gt.envmap,gt.aomap,gt.lightmap,gt.emissivemap,gt.bumpmap,gt.normalmap,gt.displacementmap,gt.roughnessmap,gt.metalnessmap,gt.fog,gt.lights,{emissive:{value:new Rt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:$t.meshphysical_vert,fragmentShader:$t.meshphysical_frag},toon:{uniforms:Ke([gt.common,gt.aomap,gt.lightmap,gt.emissivemap,gt.bumpmap,gt.normalmap,gt.displacementmap,gt.gradientmap,gt.fog,gt.lights,{emissive:{value:new Rt(0)}}]),vertexShader:$t.meshtoon_vert,fragmentShader:$t.meshtoon_frag},matcap:{uniforms:Ke([gt.common,gt.bumpmap,gt.normalmap,gt.displacementmap,gt.fog,{matcap:{value:null}}]),vertexShader:$t.meshmatcap_vert,fragmentShader:$t.meshmatcap_frag},points:{uniforms:Ke([gt.points,gt.fog]),vertexShader:$t.points_vert,fragmentShader:$t.points_frag},dashed:{uniforms:Ke([gt.common,gt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:$t.linedashed_vert,fragmentShader:$t.linedashed_frag},depth:{uniforms:Ke([gt.common,gt.displacementmap]),vertexShader:$t.depth_vert,fragmentShader:$t.depth_frag},normal:{uniforms:Ke([gt.common,gt.bumpmap,gt.normalmap,gt.displacementmap,{opacity:{value:1}}]),vertexShader:$t.meshnormal_vert,fragmentShader:$t.meshnormal_frag},sprite:{uniforms:Ke([gt.sprite,gt.fog]),vertexShader:$t.sprite_vert,fragmentShader:$t.sprite_frag},background:{uniforms:{uvTransform:{value:new Ut},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:$t.background_vert,fragmentShader:$t.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new Ut}},vertexShader:$t.backgroundCube_vert,fragmentShader:$t.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:$t.cube_vert,fragmentShader:$t.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:$t.equirect_vert,fragmentShader:$t.equirect_frag},distance:{uniforms:Ke([gt.common,gt.displacementmap,{referencePosition:{value:new C},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:$t.distance_vert,fragmentShader:$t.distance_frag},shadow:{uniforms:Ke([gt.lights,gt.fog,{color:{value:new Rt(0)},opacity:{value:1}}]),vertexShader:$t.shadow_vert,fragmentShader:$t.shadow_frag}};Zn.physical={uniforms:Ke([Zn.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new Ut},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new Ut},clearcoatNormalScale:{value:new dt(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new Ut},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new Ut},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new Ut},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new Ut},sheen:{value:0},sheenColor:{value:new Rt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new Ut},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new Ut},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new Ut},transmissionSamplerSize:{value:new dt},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new Ut},attenuationDistance:{value:0},attenuationColor:{value:new Rt(0)},specularColor:{value:new Rt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new Ut},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new Ut},anisotropyVector:{value:new dt},anisotropyMap:{value:null},anisotropyMapTransform:{value:new Ut}}]),vertexShader:$t.meshphysical_vert,fragmentShader:$t.meshphysical_frag};var oc={r:0,b:0,g:0},qS=new kt,km=new Ut;km.set(-1,0,0,0,1,0,0,0,1);function YS(n,t,e,i,s,r){let o=new Rt(0),a=s===!0?0:1,l,c,h=null,u=0,d=null;function f(v){let M=v.isScene===!0?v.background:null;if(M&&M.isTexture){let S=v.backgroundBlurriness>0;M=t.get(M,S)}return M}function p(v){let M=!1,S=f(v);S===null?m(o,a):S&&S.isColor&&(m(S,1),M=!0);let T=n.xr.getEnvironmentBlendMode();T==="additive"?e.buffers.color.setClear(0,0,0,1,r):T==="alpha-blend"&&e.buffers.color.setClear(0,0,0,0,r),(n.autoClear||M)&&(e.buffers.depth.setTest(!0),e.buffers.depth.setMask(!0),e.buffers.color.setMask(!0),n.clear(n.autoClearColor,n.autoClearDepth,n.autoClearStencil))}function x(v,M){let S=f(M);S&&S.isCubeTexture?(c===void 0&&(c=new le(new Xs(1,1,1),new Tn({name:"BackgroundCubeMaterial",uniforms:os(Zn.backgroundCube.uniforms),vertexShader:Zn.backgroundCube.vertexShader,fragmentShader:Zn.backgroundCube.fragmentShader,side:sn,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(T,A,y){this.matrixWorld.copyPosition(y.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),i.update(c)),c.material.uniforms.envMap.value=S,c.material.uniforms.backgroundBlurriness.value=M.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=M.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(qS.makeRotationFromEuler(M.backgroundRotation)).transpose(),S.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(km),c.material.toneMapped=Zt.getTransfer(S.colorSpace)!==ne,(h!==S||u!==S.version||d!==n.toneMapping)&&(c.material.needsUpdate=!0,h=S,u=S.version,d=n.toneMapping),c.layers.enableAll(),v.unshift(c,c.geometry,c.material,0,0,null)):S&&S.isTexture&&(l===void 0&&(l=new le(new no(2,2),new Tn({name:"BackgroundMaterial",uniforms:os(Zn.background.uniforms),vertexShader:Zn.background.vertexShader,fragmentShader:Zn.background.fragmentShader,side:$n,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),i.update(l)),l.material.uniforms.t2D.value=S,l.material.uniforms.backgroundIntensity.value=M.backgroundIntensity,l.material.toneMapped=Zt.getTransfer(S.colorSpace)!==ne,S.matrixAutoUpdate===!0&&S.updateMatrix(),l.material.uniforms.uvTransform.value.copy(S.matrix),(h!==S||u!==S.version||d!==n.toneMapping)&&(l.material.needsUpdate=!0,h=S,u=S.version,d=n.toneMapping),l.layers.enableAll(),v.unshift(l,l.geometry,l.material,0,0,null))}function m(v,M){v.getRGB(oc,ju(n)),e.buffers.color.setClear(oc.r,oc.g,oc.b,M,r)}function g(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(v,M=1){o.set(v),a=M,m(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(v){a=v,m(o,a)},render:p,addToRenderList:x,dispose:g}}function KS(n,t){let e=n.getParameter(n.MAX_VERTEX_ATTRIBS),i={},s=d(null),r=s,o=!1;function a(U,B,W,D,V){let q=!1,G=u(U,D,W,B);r!==G&&(r=G,c(r.object)),q=f(U,D,W,V),q&&p(U,D,W,V),V!==null&&t.update(V,n.ELEMENT_ARRAY_BUFFER),(q||o)&&(o=!1,S(U,B,W,D),V!==null&&n.bindBuffer(n.ELEMENT_ARRAY_BUFFER,t.get(V).buffer))}function l(){return n.createVertexArray()}function c(U){return n.bindVertexArray(U)}function h(U){return n.deleteVertexArray(U)}function u(U,B,W,D){let V=D.wireframe===!0,q=i[B.id];q===void 0&&(q={},i[B.id]=q);let G=U.isInstancedMesh===!0?U.id:0,nt=q[G];nt===void 0&&(nt={},q[G]=nt);let $=nt[W.id];$===void 0&&($={},nt[W.id]=$);let Q=$[V];return Q===void 0&&(Q=d(l()),$[V]=Q),Q}function d(U){let B=[],W=[],D=[];for(let V=0;V<e;V++)B[V]=0,W[V]=0,D[V]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:B,enabledAttributes:W,attributeDivisors:D,object:U,attributes:{},index:null}}function f(U,B,W,D){let V=r.attributes,q=B.attributes,G=0,nt=W.getAttributes();for(let $ in nt)if(nt[$].location>=0){let tt=V[$],Et=q[$];if(Et===void 0&&($==="instanceMatrix"&&U.instanceMatrix&&(Et=U.instanceMatrix),$==="instanceColor"&&U.instanceColor&&(Et=U.instanceColor)),tt===void 0||tt.attribute!==Et||Et&&tt.data!==Et.data)return!0;G++}return r.attributesNum!==G||r.index!==D}function p(U,B,W,D){let V={},q=B.attributes,G=0,nt=W.getAttributes();for(let $ in nt)if(nt[$].location>=0){let tt=q[$];tt===void 0&&($==="instanceMatrix"&&U.instanceMatrix&&(tt=U.instanceMatrix),$==="instanceColor"&&U.instanceColor&&(tt=U.instanceColor));let Et={};Et.attribute=tt,tt&&tt.data&&(Et.data=tt.data),V[$]=Et,G++}r.attributes=V,r.attributesNum=G,r.index=D}function x(){let U=r.newAttributes;for(let B=0,W=U.length;B<W;B++)U[B]=0}function m(U){g(U,0)}function g(U,B){let W=r.newAttributes,D=r.enabledAttributes,V=r.attributeDivisors;W[U]=1,D[U]===0&&(n.enableVertexAttribArray(U),D[U]=1),V[U]!==B&&(n.vertexAttribDivisor(U,B),V[U]=B)}function v(){let U=r.newAttributes,B=r.enabledAttributes;for(let W=0,D=B.length;W<D;W++)B[W]!==U[W]&&(n.disableVertexAttribArray(W),B[W]=0)}function M(U,B,W,D,V,q,G){G===!0?n.vertexAttribIPointer(U,B,W,V,q):n.vertexAttribPointer(U,B,W,D,V,q)}function S(U,B,W,D){x();let V=D.attributes,q=W.getAttributes(),G=B.defaultAttributeValues;for(let nt in q){let $=q[nt];if($.location>=0){let Q=V[nt];if(Q===void 0&&(nt==="instanceMatrix"&&U.instanceMatrix&&(Q=U.instanceMatrix),nt==="instanceColor"&&U.instanceColor&&(Q=U.instanceColor)),Q!==void 0){let tt=Q.normalized,Et=Q.itemSize,zt=t.get(Q);if(zt===void 0)continue;let Z=zt.buffer,yt=zt.type,St=zt.bytesPerElement,It=yt===n.INT||yt===n.UNSIGNED_INT||Q.gpuType===Sl;if(Q.isInterleavedBufferAttribute){let xt=Q.data,Gt=xt.isInterleavedBuffer===!0?xt.stride:xt.itemSize,Me=Q.offset;if(xt.isInstancedInterleavedBuffer||xt.isInstancedBufferAttribute){for(let Nt=0;Nt<$.locationSize;Nt++)g($.location+Nt,xt.meshPerAttribute);U.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=xt.meshPerAttribute*xt.count)}else for(let Nt=0;Nt<$.locationSize;Nt++)m($.location+Nt);n.bindBuffer(n.ARRAY_BUFFER,Z);for(let Nt=0;Nt<$.locationSize;Nt++)M($.location+Nt,Et/$.locationSize,yt,tt,Gt*St,(Me+Et/$.locationSize*Nt)*St,It)}else{if(Q.isInstancedBufferAttribute){for(let xt=0;xt<$.locationSize;xt++)g($.location+xt,Q.meshPerAttribute);U.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let xt=0;xt<$.locationSize;xt++)m($.location+xt);n.bindBuffer(n.ARRAY_BUFFER,Z);for(let xt=0;xt<$.locationSize;xt++)M($.location+xt,Et/$.locationSize,yt,tt,Et*St,Et/$.locationSize*xt*St,It)}}else if(G!==void 0){let tt=G[nt];if(tt!==void 0)switch(tt.length){case 2:n.vertexAttrib2fv($.location,tt);break;case 3:n.vertexAttrib3fv($.location,tt);break;case 4:n.vertexAttrib4fv($.location,tt);break;default:n.vertexAttrib1fv($.location,tt)}}}}v()}function T(){L();for(let U in i){let B=i[U];for(let W in B){let D=B[W];for(let V in D){let q=D[V];for(let G in q)h(q[G].object),delete q[G];delete D[V]}}delete i[U]}}function A(U){if(i[U.id]===void 0)return;let B=i[U.id];for(let W in B){let D=B[W];for(let V in D){let q=D[V];for(let G in q)h(q[G].object),delete q[G];delete D[V]}}delete i[U.id]}function y(U){for(let B in i){let W=i[B];for(let D in W){let V=W[D];if(V[U.id]===void 0)continue;let q=V[U.id];for(let G in q)h(q[G].object),delete q[G];delete V[U.id]}}}function w(U){for(let B in i){let W=i[B],D=U.isInstancedMesh===!0?U.id:0,V=W[D];if(V!==void 0){for(let q in V){let G=V[q];for(let nt in G)h(G[nt].object),delete G[nt];delete V[q]}delete W[D],Object.keys(W).length===0&&delete i[B]}}}function L(){I(),o=!0,r!==s&&(r=s,c(r.object))}function I(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:L,resetDefaultState:I,dispose:T,releaseStatesOfGeometry:A,releaseStatesOfObject:w,releaseStatesOfProgram:y,initAttributes:x,enableAttribute:m,disableUnusedAttributes:v}}function ZS(n,t,e){let i;function s(l){i=l}function r(l,c){n.drawArrays(i,l,c),e.update(c,i,1)}function o(l,c,h){h!==0&&(n.drawArraysInstanced(i,l,c,h),e.update(c,i,h))}function a(l,c,h){if(h===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(i,l,0,c,0,h);let d=0;for(let f=0;f<h;f++)d+=c[f];e.update(d,i,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function JS(n,t,e,i){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let y=t.get("EXT_texture_filter_anisotropic");s=n.getParameter(y.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(y){return!(y!==An&&i.convert(y)!==n.getParameter(n.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(y){let w=y===Fn&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(y!==an&&y!==yn&&!w&&i.convert(y)!==n.getParameter(n.IMPLEMENTATION_COLOR_READ_TYPE))}function l(y){if(y==="highp"){if(n.getShaderPrecisionFormat(n.VERTEX_SHADER,n.HIGH_FLOAT).precision>0&&n.getShaderPrecisionFormat(n.FRAGMENT_SHADER,n.HIGH_FLOAT).precision>0)return"highp";y="mediump"}return y==="mediump"&&n.getShaderPrecisionFormat(n.VERTEX_SHADER,n.MEDIUM_FLOAT).precision>0&&n.getShaderPrecisionFormat(n.FRAGMENT_SHADER,n.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(Ct("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=e.reversedDepthBuffer===!0&&t.has("EXT_clip_control"),d=e.logarithmicDepthBuffer===!0&&u===!1;e.reversedDepthBuffer===!0&&u===!1&&Ct("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),e.logarithmicDepthBuffer===!0&&u===!0&&Ct("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=n.getParameter(n.MAX_TEXTURE_IMAGE_UNITS),p=n.getParameter(n.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=n.getParameter(n.MAX_TEXTURE_SIZE),m=n.getParameter(n.MAX_CUBE_MAP_TEXTURE_SIZE),g=n.getParameter(n.MAX_VERTEX_ATTRIBS),v=n.getParameter(n.MAX_VERTEX_UNIFORM_VECTORS),M=n.getParameter(n.MAX_VARYING_VECTORS),S=n.getParameter(n.MAX_FRAGMENT_UNIFORM_VECTORS),T=n.getParameter(n.MAX_SAMPLES),A=n.getParameter(n.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:p,maxTextureSize:x,maxCubemapSize:m,maxAttributes:g,maxVertexUniforms:v,maxVaryings:M,maxFragmentUniforms:S,maxSamples:T,samples:A}}function jS(n){let t=this,e=null,i=0,s=!1,r=!1,o=new We,a=new Ut,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let f=u.length!==0||d||i!==0||s;return s=d,i=u.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){e=h(u,d,0)},this.setState=function(u,d,f){let p=u.clippingPlanes,x=u.clipIntersection,m=u.clipShadows,g=n.get(u);if(!s||p===null||p.length===0||r&&!m)r?h(null):c();else{let v=r?0:i,M=v*4,S=g.clippingState||null;l.value=S,S=h(p,d,M,f);for(let T=0;T!==M;++T)S[T]=e[T];g.clippingState=S,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=v}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=i>0),t.numPlanes=i,t.numIntersection=0}function h(u,d,f,p){let x=u!==null?u.length:0,m=null;if(x!==0){if(m=l.value,p!==!0||m===null){let g=f+x*4,v=d.matrixWorldInverse;a.getNormalMatrix(v),(m===null||m.length<g)&&(m=new Float32Array(g));for(let M=0,S=f;M!==x;++M,S+=4)o.copy(u[M]).applyMatrix4(v,a),o.normal.toArray(m,S),m[S+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}var Eo=class extends pn{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let i={width:t,height:t,depth:1},s=[i,i,i,i,i,i];this.texture=new Vr(s),this._setTextureOptions(e),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let i={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Xs(5,5,5),r=new Tn({name:"CubemapFromEquirect",uniforms:os(i.uniforms),vertexShader:i.vertexShader,fragmentShader:i.fragmentShader,side:sn,blending:ns});r.uniforms.tEquirect.value=e;let o=new le(s,r),a=e.minFilter;return e.minFilter===pi&&(e.minFilter=je),new Ys(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e=!0,i=!0,s=!0){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,i,s);t.setRenderTarget(r)}},gm=256,QS=3,tM=20,Bm=256,zm=16,eM=3,nM=new C,iM=new Rt,lc=class n{constructor(t){this._renderer=t,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Ys(1,10,null),this._boxMesh=new le(new Xs(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(t,e=0,i=.1,s=100,r={}){let{size:o=256,position:a=nM}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);e>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,d=l.autoClearColor,f=l.autoClearDepth,p=l.autoClearStencil,x=t.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,x===null&&(t.background=l.getClearColor(iM));let m=new Ys(i,s,h);return m.position.copy(a),m.update(l,t),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=f,l.autoClearStencil=p,t.background=x,e>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,e)),this._applyPMREM(c),c}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=_m(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=xm(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(t,e){return e>0?1-Math.sqrt(1-t/e):0}_setSize(t){this._cubeSize=Math.max(gm,Ku(t))}_fromTexture(t,e){t.mapping===ss||t.mapping===js?this._setSize(t.image.length===0?gm:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4);let i=e||this._allocateTarget();return this._textureToCubemap(t),this._applyPMREM(i),i}_allocateTarget(){let t=this._cubeSize,e=ym(t,!1,!1),i=Math.log2(t)-QS;for(let s=0;s<=i;s++)e.texture.mipmaps.push({width:t>>s,height:t>>s});return e.texture.name="PMREM",e.texture.isPMREMTexture=!0,e}_getSourceTarget(t=!1){let e=this._cubeSize,i=this._sourceTarget;return(i===null||i.width!==e||t&&i.depthBuffer===!1)&&(i!==null&&i.dispose(),this._sourceTarget=ym(e,!0,t)),this._sourceTarget}_compileMaterial(t){this._boxMesh.material=t,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(t,e,i){let s=this._boxMesh,r=this._cubeCamera;s.material=i,r.renderTarget=t,r.activeMipmapLevel=e;let o=t.width>>e;t.viewport.set(0,0,o,o),r.update(this._renderer,s),t.viewport.set(0,0,t.width,t.height)}_textureToCubemap(t){let e;t.mapping===ss||t.mapping===js?(this._cubemapMaterial===null&&(this._cubemapMaterial=_m()),e=this._cubemapMaterial,e.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=xm()),e=this._equirectMaterial),e.uniforms.envMap.value=t,this._renderCube(this._getSourceTarget(),0,e)}_applyPMREM(t){this._ggxMaterial===null&&(this._ggxMaterial=sM(),this._integrationMaterial=rM());let e=this._cubeSize,i=t.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(e/zm);for(let o=0;o<=i;o++){let a=n.lodToRoughness(o,i);if(o>i-eM)r.roughness.value=a,this._renderCube(t,o,this._integrationMaterial);else{let l=a>0?Math.log2(e)+.5*Math.log2(6/(Bm*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(t,o,this._ggxMaterial)}}}_blur(t,e){this._blurMaterial===null&&(this._blurMaterial=oM());let i=this._blurMaterial,s=i.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(e,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(t,0,i),s.envMap.value=t.texture,this._renderCube(r,0,i)}};function ym(n,t,e){return new Eo(n,{minFilter:pi,generateMipmaps:t,type:Fn,colorSpace:Dr,depthBuffer:e})}function To(n,t,e){return new Tn({name:n,uniforms:t,vertexShader:$t.cube_vert,fragmentShader:e,side:sn,blending:ns,depthTest:!1,depthWrite:!1})}function sM(){return To("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${Bm}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function rM(){return To("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:zm}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function oM(){return To("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${tM}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function xm(){return To("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function _m(){return To("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function aM(n){let t=new WeakMap,e=new WeakMap,i=null;function s(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===_l||f===vl)if(t.has(d)){let p=t.get(d).texture;return a(p,d.mapping)}else{let p=d.image;if(p&&p.height>0){let x=new Eo(p.height);return x.fromEquirectangularTexture(n,d),t.set(d,x),d.addEventListener("dispose",c),a(x.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,p=f===_l||f===vl,x=f===ss||f===js;if(p||x){let m=e.get(d),g=m!==void 0?m.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==g)return i===null&&(i=new lc(n)),m=p?i.fromEquirectangular(d,m):i.fromCubemap(d,m),m.texture.pmremVersion=d.pmremVersion,e.set(d,m),m.texture;if(m!==void 0)return m.texture;{let v=d.image;return p&&v&&v.height>0||x&&v&&l(v)?(i===null&&(i=new lc(n)),m=p?i.fromEquirectangular(d):i.fromCubemap(d),m.texture.pmremVersion=d.pmremVersion,e.set(d,m),d.addEventListener("dispose",h),m.texture):null}}}return d}function a(d,f){return f===_l?d.mapping=ss:f===vl&&(d.mapping=js),d}function l(d){let f=0,p=6;for(let x=0;x<p;x++)d[x]!==void 0&&f++;return f===p}function c(d){let f=d.target;f.removeEventListener("dispose",c);let p=t.get(f);p!==void 0&&(t.delete(f),p.dispose())}function h(d){let f=d.target;f.removeEventListener("dispose",h);let p=e.get(f);p!==void 0&&(e.delete(f),p.dispose())}function u(){t=new WeakMap,e=new WeakMap,i!==null&&(i.dispose(),i=null)}return{get:s,dispose:u}}function lM(n){let t={};function e(i){if(t[i]!==void 0)return t[i];let s=n.getExtension(i);return t[i]=s,s}return{has:function(i){return e(i)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(i){let s=e(i);return s===null&&Cr("WebGLRenderer: "+i+" extension not supported."),s}}}function cM(n,t,e,i){let s={},r=new WeakMap,o=new FinalizationRegistry(p=>delete s[p]);function a(p){l(p.target)}function l(p){p.index!==null&&t.remove(p.index);for(let m in p.attributes)t.remove(p.attributes[m]);p.removeEventListener("dispose",a),delete s[p.id],o.unregister(p);let x=r.get(p);x&&(t.remove(x),r.delete(p)),i.releaseStatesOfGeometry(p),p.isInstancedBufferGeometry===!0&&delete p._maxInstanceCount,e.memory.geometries--}function c(p,x){return s[x.id]!==void 0||(x.addEventListener("dispose",a),s[x.id]=new WeakRef(x),o.register(x,x.id,x),e.memory.geometries++),x}function h(p){let x=p.attributes;for(let m in x)t.update(x[m],n.ARRAY_BUFFER)}function u(p){let x=p.index,m=p.attributes.position,g=0;if(m===void 0)return;let v=x!==null?x.array.length:m.array.length/3-1,M=m.count>=65535?Br:kr,S=new M(Math.ceil(v/3)*6,1),T=S.array;if(x!==null){let y=x.array;g=x.version;for(let w=0,L=0;w<v;w+=3){let I=y[w+0],U=y[w+1],B=y[w+2];T[L++]=I,T[L++]=U,T[L++]=U,T[L++]=B,T[L++]=B,T[L++]=I}}else{g=m.version;for(let y=0,w=0;y<v;y+=3){let L=y+0,I=y+1,U=y+2;T[w++]=L,T[w++]=I,T[w++]=I,T[w++]=U,T[w++]=U,T[w++]=L}}S.version=g;let A=r.get(p);A&&t.remove(A),r.set(p,S)}function d(p){let x=r.get(p);if(x){let m=p.index;m!==null&&x.version<m.version&&u(p)}else u(p);return r.get(p)}function f(){for(let p in s){let x=s[p].deref();x!==void 0&&l(x)}}return{get:c,update:h,getWireframeAttribute:d,dispose:f}}function hM(n,t,e){let i;function s(u){i=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,d){n.drawElements(i,d,r,u*o),e.update(d,i,1)}function c(u,d,f){f!==0&&(n.drawElementsInstanced(i,d,r,u*o,f),e.update(d,i,f))}function h(u,d,f){if(f===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(i,d,0,r,u,0,f);let x=0;for(let m=0;m<f;m++)x+=d[m];e.update(x,i,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function uM(n){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function i(r,o,a){switch(e.calls++,o){case n.TRIANGLES:e.triangles+=a*(r/3);break;case n.LINES:e.lines+=a*(r/2);break;case n.LINE_STRIP:e.lines+=a*(r-1);break;case n.LINE_LOOP:e.lines+=a*r;break;case n.POINTS:e.points+=a*r;break;default:Ot("WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:i}}function dM(n,t,e){let i=new WeakMap,s=new re;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,d=i.get(a);if(d===void 0||d.count!==u){let L=function(){y.dispose(),i.delete(a),a.removeEventListener("dispose",L)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,p=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],g=a.morphAttributes.normal||[],v=a.morphAttributes.color||[],M=0;f===!0&&(M=1),p===!0&&(M=2),x===!0&&(M=3);let S=a.attributes.position.count*M,T=1;S>t.maxTextureSize&&(T=Math.ceil(S/t.maxTextureSize),S=t.maxTextureSize);let A=new Float32Array(S*T*4*u),y=new Ur(A,S,T,u);y.type=yn,y.needsUpdate=!0;let w=M*4;for(let I=0;I<u;I++){let U=m[I],B=g[I],W=v[I],D=S*T*4*I;for(let V=0;V<U.count;V++){let q=V*w;f===!0&&(s.fromBufferAttribute(U,V),A[D+q+0]=s.x,A[D+q+1]=s.y,A[D+q+2]=s.z,A[D+q+3]=0),p===!0&&(s.fromBufferAttribute(B,V),A[D+q+4]=s.x,A[D+q+5]=s.y,A[D+q+6]=s.z,A[D+q+7]=0),x===!0&&(s.fromBufferAttribute(W,V),A[D+q+8]=s.x,A[D+q+9]=s.y,A[D+q+10]=s.z,A[D+q+11]=W.itemSize===4?s.w:1)}}d={count:u,texture:y,size:new dt(S,T)},i.set(a,d),a.addEventListener("dispose",L)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(n,"morphTexture",o.morphTexture,e);else{let f=0;for(let x=0;x<c.length;x++)f+=c[x];let p=a.morphTargetsRelative?1:1-f;l.getUniforms().setValue(n,"morphTargetBaseInfluence",p),l.getUniforms().setValue(n,"morphTargetInfluences",c)}l.getUniforms().setValue(n,"morphTargetsTexture",d.texture,e),l.getUniforms().setValue(n,"morphTargetsTextureSize",d.size)}return{update:r}}function fM(n,t,e,i,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,d=t.get(c,u);if(r.get(d)!==h&&(t.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(e.update(c.instanceMatrix,n.ARRAY_BUFFER),c.instanceColor!==null&&e.update(c.instanceColor,n.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let f=c.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return d}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),i.releaseStatesOfObject(h),e.remove(h.instanceMatrix),h.instanceColor!==null&&e.remove(h.instanceColor)}return{update:o,dispose:a}}var pM={[Pu]:"LINEAR_TONE_MAPPING",[Ru]:"REINHARD_TONE_MAPPING",[Iu]:"CINEON_TONE_MAPPING",[Lu]:"ACES_FILMIC_TONE_MAPPING",[Nu]:"AGX_TONE_MAPPING",[Ou]:"NEUTRAL_TONE_MAPPING",[Du]:"CUSTOM_TONE_MAPPING"};function mM(n,t,e,i,s,r){let o=new pn(t,e,{type:n,depthBuffer:s,stencilBuffer:r,samples:i?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new oe;h.setAttribute("position",new te([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new te([0,2,0,0,2,0],2));let u=new il({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new le(h,u),f=new co(-1,1,1,-1,0,1),p=null,x=null,m=!1,g,v=null,M=[],S=!1;this.setSize=function(T,A){o.setSize(T,A),a!==null&&a.setSize(T,A),l!==null&&l.setSize(T,A);for(let y=0;y<M.length;y++){let w=M[y];w.setSize&&w.setSize(T,A)}},this.setEffects=function(T){M=T,S=M.length>0&&M[0].isRenderPass===!0;let A=o.width,y=o.height;M.length>0&&a===null&&(a=new pn(A,y,{type:Fn,depthBuffer:!1,stencilBuffer:!1}),l=new pn(A,y,{type:Fn,depthBuffer:!1,stencilBuffer:!1}));let w=s===!0&&M.some(L=>L.needsDepthTexture===!0);w!==(o.depthTexture!==null)&&(w===!0&&c===null&&(c=new fi(A,y),r===!0&&(c.format=mi,c.type=rs)),o.dispose(),o.depthTexture=w?c:null,o.resolveDepthBuffer=w,o.storeMultisampledDepthBuffer=w);for(let L=0;L<M.length;L++){let I=M[L];I.setSize&&I.setSize(A,y),w&&I.needsDepthTexture===!0&&I.setDepthTexture&&I.setDepthTexture(c)}},this.begin=function(T,A){if(m||T.toneMapping===qn&&M.length===0)return!1;if(v=A,A!==null){let y=A.width,w=A.height;(o.width!==y||o.height!==w)&&this.setSize(y,w)}return S===!1&&T.setRenderTarget(o),g=T.toneMapping,T.toneMapping=qn,!0},this.hasRenderPass=function(){return S},this.end=function(T,A){T.toneMapping=g,m=!0;let y=o,w=a;for(let L=0;L<M.length;L++){let I=M[L];I.enabled!==!1&&(I.render(T,w,y,A),I.needsSwap!==!1&&(y=w,w=w===a?l:a))}if(p!==T.outputColorSpace||x!==T.toneMapping){p=T.outputColorSpace,x=T.toneMapping,u.defines={},Zt.getTransfer(p)===ne&&(u.defines.SRGB_TRANSFER="");let L=pM[x];L&&(u.defines[L]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=y.texture,T.setRenderTarget(v),T.render(d,f),v=null,m=!1},this.isCompositing=function(){return m},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var Hm=new tn,Gm=new fi(1,1),Vm=new Xr(1),Wm=new Ur,Xm=new Xa,$m=new Vr,vm=[],bm=[],Sm=new Float32Array(16),Mm=new Float32Array(9),wm=new Float32Array(4);function er(n,t,e){let i=n[0];if(i<=0||i>0)return n;let s=t*e,r=vm[s];if(r===void 0&&(r=new Float32Array(s),vm[s]=r),t!==0){i.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,n[o].toArray(r,a)}return r}function Re(n,t){if(n.length!==t.length)return!1;for(let e=0,i=n.length;e<i;e++)if(n[e]!==t[e])return!1;return!0}function Ie(n,t){for(let e=0,i=t.length;e<i;e++)n[e]=t[e]}function hc(n,t){let e=bm[t];e===void 0&&(e=new Int32Array(t),bm[t]=e);for(let i=0;i!==t;++i)e[i]=n.allocateTextureUnit();return e}function gM(n,t){let e=this.cache;e[0]!==t&&(n.uniform1f(this.addr,t),e[0]=t)}function yM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(n.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Re(e,t))return;n.uniform2fv(this.addr,t),Ie(e,t)}}function xM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(n.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(n.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(Re(e,t))return;n.uniform3fv(this.addr,t),Ie(e,t)}}function _M(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(n.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Re(e,t))return;n.uniform4fv(this.addr,t),Ie(e,t)}}function vM(n,t){let e=this.cache,i=t.elements;if(i===void 0){if(Re(e,t))return;n.uniformMatrix2fv(this.addr,!1,t),Ie(e,t)}else{if(Re(e,i))return;wm.set(i),n.uniformMatrix2fv(this.addr,!1,wm),Ie(e,i)}}function bM(n,t){let e=this.cache,i=t.elements;if(i===void 0){if(Re(e,t))return;n.uniformMatrix3fv(this.addr,!1,t),Ie(e,t)}else{if(Re(e,i))return;Mm.set(i),n.uniformMatrix3fv(this.addr,!1,Mm),Ie(e,i)}}function SM(n,t){let e=this.cache,i=t.elements;if(i===void 0){if(Re(e,t))return;n.uniformMatrix4fv(this.addr,!1,t),Ie(e,t)}else{if(Re(e,i))return;Sm.set(i),n.uniformMatrix4fv(this.addr,!1,Sm),Ie(e,i)}}function MM(n,t){let e=this.cache;e[0]!==t&&(n.uniform1i(this.addr,t),e[0]=t)}function wM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(n.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Re(e,t))return;n.uniform2iv(this.addr,t),Ie(e,t)}}function EM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(n.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Re(e,t))return;n.uniform3iv(this.addr,t),Ie(e,t)}}function TM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(n.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Re(e,t))return;n.uniform4iv(this.addr,t),Ie(e,t)}}function AM(n,t){let e=this.cache;e[0]!==t&&(n.uniform1ui(this.addr,t),e[0]=t)}function CM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(n.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(Re(e,t))return;n.uniform2uiv(this.addr,t),Ie(e,t)}}function PM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(n.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(Re(e,t))return;n.uniform3uiv(this.addr,t),Ie(e,t)}}function RM(n,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(n.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(Re(e,t))return;n.uniform4uiv(this.addr,t),Ie(e,t)}}function uc(n){return n.version===0&&(n.compareFunction=Xu,n.needsUpdate=!0),n}function IM(n,t,e){let i=this.cache,s=e.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s);let r;this.type===n.SAMPLER_2D_SHADOW?r=uc(Gm):r=Hm,e.setTexture2D(t||r,s)}function LM(n,t,e){let i=this.cache,s=e.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s),e.setTexture3D(t||Xm,s)}function DM(n,t,e){let i=this.cache,s=e.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s);let r;this.type===n.SAMPLER_CUBE_SHADOW?r=uc(Vm):r=$m,e.setTextureCube(t||r,s)}function NM(n,t,e){let i=this.cache,s=e.allocateTextureUnit();i[0]!==s&&(n.uniform1i(this.addr,s),i[0]=s),e.setTexture2DArray(t||Wm,s)}function OM(n){switch(n){case 5126:return gM;case 35664:return yM;case 35665:return xM;case 35666:return _M;case 35674:return vM;case 35675:return bM;case 35676:return SM;case 5124:case 35670:return MM;case 35667:case 35671:return wM;case 35668:case 35672:return EM;case 35669:case 35673:return TM;case 5125:return AM;case 36294:return CM;case 36295:return PM;case 36296:return RM;case 35678:case 36198:case 36298:case 36306:case 35682:return IM;case 35679:case 36299:case 36307:return LM;case 35680:case 36300:case 36308:case 36293:return DM;case 36289:case 36303:case 36311:case 36292:return NM}}function UM(n,t){n.uniform1fv(this.addr,t)}function FM(n,t){let e=er(t,this.size,2);n.uniform2fv(this.addr,e)}function kM(n,t){let e=er(t,this.size,3);n.uniform3fv(this.addr,e)}function BM(n,t){let e=er(t,this.size,4);n.uniform4fv(this.addr,e)}function zM(n,t){let e=er(t,this.size,4);n.uniformMatrix2fv(this.addr,!1,e)}function HM(n,t){let e=er(t,this.size,9);n.uniformMatrix3fv(this.addr,!1,e)}function GM(n,t){let e=er(t,this.size,16);n.uniformMatrix4fv(this.addr,!1,e)}function VM(n,t){n.uniform1iv(this.addr,t)}function WM(n,t){n.uniform2iv(this.addr,t)}function XM(n,t){n.uniform3iv(this.addr,t)}function $M(n,t){n.uniform4iv(this.addr,t)}function qM(n,t){n.uniform1uiv(this.addr,t)}function YM(n,t){n.uniform2uiv(this.addr,t)}function KM(n,t){n.uniform3uiv(this.addr,t)}function ZM(n,t){n.uniform4uiv(this.addr,t)}function JM(n,t,e){let i=this.cache,s=t.length,r=hc(e,s);Re(i,r)||(n.uniform1iv(this.addr,r),Ie(i,r));let o;this.type===n.SAMPLER_2D_SHADOW?o=uc(Gm):o=Hm;for(let a=0;a!==s;++a)e.setTexture2D(t[a]||o,r[a])}function jM(n,t,e){let i=this.cache,s=t.length,r=hc(e,s);Re(i,r)||(n.uniform1iv(this.addr,r),Ie(i,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||Xm,r[o])}function QM(n,t,e){let i=this.cache,s=t.length,r=hc(e,s);Re(i,r)||(n.uniform1iv(this.addr,r),Ie(i,r));let o;this.type===n.SAMPLER_CUBE_SHADOW?o=uc(Vm):o=$m;for(let a=0;a!==s;++a)e.setTextureCube(t[a]||o,r[a])}function tw(n,t,e){let i=this.cache,s=t.length,r=hc(e,s);Re(i,r)||(n.uniform1iv(this.addr,r),Ie(i,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||Wm,r[o])}function ew(n){switch(n){case 5126:return UM;case 35664:return FM;case 35665:return kM;case 35666:return BM;case 35674:return zM;case 35675:return HM;case 35676:return GM;case 5124:case 35670:return VM;case 35667:case 35671:return WM;case 35668:case 35672:return XM;case 35669:case 35673:return $M;case 5125:return qM;case 36294:return YM;case 36295:return KM;case 36296:return ZM;case 35678:case 36198:case 36298:case 36306:case 35682:return JM;case 35679:case 36299:case 36307:return jM;case 35680:case 36300:case 36308:case 36293:return QM;case 36289:case 36303:case 36311:case 36292:return tw}}var sd=class{constructor(t,e,i){this.id=t,this.addr=i,this.cache=[],this.type=e.type,this.setValue=OM(e.type)}},rd=class{constructor(t,e,i){this.id=t,this.addr=i,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=ew(e.type)}},od=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,i){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],i)}}},nd=/(\w+)(\])?(\[|\.)?/g;function Em(n,t){n.seq.push(t),n.map[t.id]=t}function nw(n,t,e){let i=n.name,s=i.length;for(nd.lastIndex=0;;){let r=nd.exec(i),o=nd.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){Em(e,c===void 0?new sd(a,n,t):new rd(a,n,t));break}else{let u=e.map[a];u===void 0&&(u=new od(a),Em(e,u)),e=u}}}var tr=class{constructor(t,e){this.seq=[],this.map={};let i=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let o=0;o<i;++o){let a=t.getActiveUniform(e,o),l=t.getUniformLocation(e,a.name);nw(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===t.SAMPLER_2D_SHADOW||o.type===t.SAMPLER_CUBE_SHADOW||o.type===t.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(t,e,i,s){let r=this.map[e];r!==void 0&&r.setValue(t,i,s)}setOptional(t,e,i){let s=e[i];s!==void 0&&this.setValue(t,i,s)}static upload(t,e,i,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=i[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let i=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&i.push(o)}return i}};function Tm(n,t,e){let i=n.createShader(t);return n.shaderSource(i,e),n.compileShader(i),i}var iw=37297,sw=0;function rw(n,t){let e=n.split(`
`),i=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;i.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return i.join(`
`)}var Am=new Ut;function ow(n){Zt._getMatrix(Am,Zt.workingColorSpace,n);let t=`mat3( ${Am.elements.map(e=>e.toFixed(4))} )`;switch(Zt.getTransfer(n)){case Nr:return[t,"LinearTransferOETF"];case ne:return[t,"sRGBTransferOETF"];default:return Ct("WebGLProgram: Unsupported color space: ",n),[t,"LinearTransferOETF"]}}function Cm(n,t,e){let i=n.getShaderParameter(t,n.COMPILE_STATUS),r=(n.getShaderInfoLog(t)||"").trim();if(i&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return e.toUpperCase()+`

`+r+`

`+rw(n.getShaderSource(t),a)}else return r}function aw(n,t){let e=ow(t);return[`vec4 ${n}( vec4 value ) {`,`	return ${e[1]}( vec4( ${e[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var lw={[Pu]:"Linear",[Ru]:"Reinhard",[Iu]:"Cineon",[Lu]:"ACESFilmic",[Nu]:"AgX",[Ou]:"Neutral",[Du]:"Custom"};function cw(n,t){let e=lw[t];return e===void 0?(Ct("WebGLProgram: Unsupported toneMapping:",t),"vec3 "+n+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+n+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var ac=new C;function hw(){Zt.getLuminanceCoefficients(ac);let n=ac.x.toFixed(4),t=ac.y.toFixed(4),e=ac.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${n}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function uw(n){return[n.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",n.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(wo).join(`
`)}function dw(n){let t=[];for(let e in n){let i=n[e];i!==!1&&t.push("#define "+e+" "+i)}return t.join(`
`)}function fw(n,t){let e={},i=n.getProgramParameter(t,n.ACTIVE_ATTRIBUTES);for(let s=0;s<i;s++){let r=n.getActiveAttrib(t,s),o=r.name,a=1;r.type===n.FLOAT_MAT2&&(a=2),r.type===n.FLOAT_MAT3&&(a=3),r.type===n.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:n.getAttribLocation(t,o),locationSize:a}}return e}function wo(n){return n!==""}function Pm(n,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return n.replace(/NUM_SUN_LIGHTS/g,t.numSunLights).replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,t.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,t.numLightProbeGrids)}function Rm(n,t){return n.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var pw=/^[ \t]*#include +<([\w\d./]+)>/gm;function ad(n){return n.replace(pw,mw)}function mw(n,t){let e=$t[t];if(e===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+t+">");return ad(e)}var gw=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function Im(n){return n.replace(gw,yw)}function yw(n,t,e,i){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=i.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function Lm(n){let t=`precision ${n.precision} float;
	precision ${n.precision} int;
	precision ${n.precision} sampler2D;
	precision ${n.precision} samplerCube;
	precision ${n.precision} sampler3D;
	precision ${n.precision} sampler2DArray;
	precision ${n.precision} sampler2DShadow;
	precision ${n.precision} samplerCubeShadow;
	precision ${n.precision} sampler2DArrayShadow;
	precision ${n.precision} isampler2D;
	precision ${n.precision} isampler3D;
	precision ${n.precision} isamplerCube;
	precision ${n.precision} isampler2DArray;
	precision ${n.precision} usampler2D;
	precision ${n.precision} usampler3D;
	precision ${n.precision} usamplerCube;
	precision ${n.precision} usampler2DArray;
	`;return n.precision==="highp"?t+=`
#define HIGH_PRECISION`:n.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:n.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}var xw={[mo]:"SHADOWMAP_TYPE_PCF",[Zs]:"SHADOWMAP_TYPE_VSM"};function _w(n){return xw[n.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var vw={[js]:"ENVMAP_MODE_REFRACTION"};function bw(n){return n.envMap===!1?"ENVMAP_MODE_REFLECTION":vw[n.envMapMode]||"ENVMAP_MODE_REFLECTION"}var Sw={[xl]:"ENVMAP_BLENDING_MULTIPLY",[Vp]:"ENVMAP_BLENDING_MIX",[Wp]:"ENVMAP_BLENDING_ADD"};function Mw(n){return n.envMap===!1?"ENVMAP_BLENDING_NONE":Sw[n.combine]||"ENVMAP_BLENDING_NONE"}function ww(n,t,e,i){let s=n.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=_w(e),c=e.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=bw(e),u=Mw(e),d=uw(e),f=dw(r),p=s.createProgram(),x,m,g=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(x=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(wo).join(`
`),x.length>0&&(x+=`
`),m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f].filter(wo).join(`
`),m.length>0&&(m+=`
`)):(x=[Lm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+e.diffuseRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexNormals?"#define HAS_NORMAL":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(wo).join(`
`),m=[Lm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,f,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+u:"",e.envMapPMREM?"#define ENVMAP_MAX_LOD "+e.envMapMaxLod+".0":"",e.envMapPMREM?"#define ENVMAP_SIZE "+e.envMapSize+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",e.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.retroreflection?"#define USE_RETROREFLECTION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor?"#define USE_COLOR":"",e.vertexAlphas||e.batchingColor?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",e.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==qn?"#define TONE_MAPPING":"",e.toneMapping!==qn?$t.tonemapping_pars_fragment:"",e.toneMapping!==qn?cw("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",$t.colorspace_pars_fragment,aw("linearToOutputTexel",e.outputColorSpace),hw(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(wo).join(`
`)),o=ad(o),o=Pm(o,e),o=Rm(o,e),a=ad(a),a=Pm(a,e),a=Rm(a,e),o=Im(o),a=Im(a),e.isRawShaderMaterial!==!0&&(g=`#version 300 es
`,x=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+x,m=["#define varying in",e.glslVersion===$u?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===$u?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+m);let v=g+x+o,M=g+m+a,S=Tm(s,s.VERTEX_SHADER,v),T=Tm(s,s.FRAGMENT_SHADER,M);s.attachShader(p,S),s.attachShader(p,T),e.index0AttributeName!==void 0?s.bindAttribLocation(p,0,e.index0AttributeName):e.hasPositionAttribute===!0&&s.bindAttribLocation(p,0,"position"),s.linkProgram(p);function A(I){if(n.debug.checkShaderErrors){let U=s.getProgramInfoLog(p)||"",B=s.getShaderInfoLog(S)||"",W=s.getShaderInfoLog(T)||"",D=U.trim(),V=B.trim(),q=W.trim(),G=!0,nt=!0;if(s.getProgramParameter(p,s.LINK_STATUS)===!1)if(G=!1,typeof n.debug.onShaderError=="function")n.debug.onShaderError(s,p,S,T);else{let $=Cm(s,S,"vertex"),Q=Cm(s,T,"fragment");Ot("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(p,s.VALIDATE_STATUS)+`

Material Name: `+I.name+`
Material Type: `+I.type+`

Program Info Log: `+D+`
`+$+`
`+Q)}else D!==""?Ct("WebGLProgram: Program Info Log:",D):(V===""||q==="")&&(nt=!1);nt&&(I.diagnostics={runnable:G,programLog:D,vertexShader:{log:V,prefix:x},fragmentShader:{log:q,prefix:m}})}s.deleteShader(S),s.deleteShader(T),y=new tr(s,p),w=fw(s,p)}let y;this.getUniforms=function(){return y===void 0&&A(this),y};let w;this.getAttributes=function(){return w===void 0&&A(this),w};let L=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return L===!1&&(L=s.getProgramParameter(p,iw)),L},this.destroy=function(){i.releaseStatesOfProgram(this),s.deleteProgram(p),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=sw++,this.cacheKey=t,this.usedTimes=1,this.program=p,this.vertexShader=S,this.fragmentShader=T,this}var Ew=0,ld=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t,e,i){let s=this._getShaderCacheForMaterial(t);return s.has(e)===!1&&(s.add(e),e.usedTimes++),s.has(i)===!1&&(s.add(i),i.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let i of e)i.usedTimes--,i.usedTimes===0&&this.shaderCache.delete(i.code);return this.materialCache.delete(t),this}getVertexShaderStage(t){return this._getShaderStage(t.vertexShader)}getFragmentShaderStage(t){return this._getShaderStage(t.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,i=e.get(t);return i===void 0&&(i=new Set,e.set(t,i)),i}_getShaderStage(t){let e=this.shaderCache,i=e.get(t);return i===void 0&&(i=new cd(t),e.set(t,i)),i}},cd=class{constructor(t){this.id=Ew++,this.code=t,this.usedTimes=0}};function Tw(n){return n===Oi||n===bo||n===So}function Aw(n,t,e,i,s,r){let o=new Hs,a=new ld,l=new Set,c=[],h=new Map,u=i.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(y){return l.add(y),y===0?"uv":`uv${y}`}function p(y,w,L,I,U,B){let W=I.fog,D=U.geometry,V=y.isMeshStandardMaterial||y.isMeshLambertMaterial||y.isMeshPhongMaterial?I.environment:null,q=y.isMeshStandardMaterial||y.isMeshLambertMaterial&&!y.envMap||y.isMeshPhongMaterial&&!y.envMap,G=t.get(y.envMap||V,q),nt=d[y.type],$=i.precision;y.precision!==null&&($=i.getMaxPrecision(y.precision),$!==y.precision&&Ct("WebGLProgram.getParameters:",y.precision,"not supported, using",$,"instead."));let Q=D.morphAttributes.position||D.morphAttributes.normal||D.morphAttributes.color,tt=Q!==void 0?Q.length:0,Et=0;D.morphAttributes.position!==void 0&&(Et=1),D.morphAttributes.normal!==void 0&&(Et=2),D.morphAttributes.color!==void 0&&(Et=3);let zt,Z,yt,St;if(nt){let mt=Zn[nt];zt=mt.vertexShader,Z=mt.fragmentShader}else{zt=y.vertexShader,Z=y.fragmentShader;let mt=a.getVertexShaderStage(y),se=a.getFragmentShaderStage(y);a.update(y,mt,se),yt=mt.id,St=se.id}let It=n.getRenderTarget(),xt=n.state.buffers.depth.getReversed(),Gt=U.isInstancedMesh===!0,Me=U.isBatchedMesh===!0,Nt=!!y.map,ie=!!y.matcap,ce=!!G,qt=ce&&G.isPMREMTexture===!0,Ge=!!y.aoMap,Ae=!!y.lightMap,rn=!!y.bumpMap&&y.wireframe===!1,_e=!!y.normalMap,Gn=!!y.displacementMap,Ue=!!y.emissiveMap,_n=!!y.metalnessMap,vn=!!y.roughnessMap,bn=y.anisotropy>0,O=y.clearcoat>0,Sn=y.diffuseRoughness>0,me=y.dispersion>0,ge=y.retroreflectivity>0,ft=y.iridescence>0,Ce=y.sheen>0,Lt=y.transmission>0,Ft=bn&&!!y.anisotropyMap,E=O&&!!y.clearcoatMap,_=O&&!!y.clearcoatNormalMap,k=O&&!!y.clearcoatRoughnessMap,et=Sn&&!!y.diffuseRoughnessMap,j=ft&&!!y.iridescenceMap,rt=ft&&!!y.iridescenceThicknessMap,ht=Ce&&!!y.sheenColorMap,Y=Ce&&!!y.sheenRoughnessMap,K=!!y.specularMap,at=!!y.specularColorMap,R=!!y.specularIntensityMap,J=Lt&&!!y.transmissionMap,X=Lt&&!!y.thicknessMap,lt=!!y.gradientMap,st=!!y.alphaMap,ot=y.alphaTest>0,At=!!y.alphaHash,Wt=!!y.extensions,it=qn;y.toneMapped&&(It===null||It.isXRRenderTarget===!0)&&(it=n.toneMapping);let Pt=qt?G.isCompressedCubeTexture?G.image[0].mipmaps:G.mipmaps:null,Vt={shaderID:nt,shaderType:y.type,shaderName:y.name,vertexShader:zt,fragmentShader:Z,defines:y.defines,customVertexShaderID:yt,customFragmentShaderID:St,isRawShaderMaterial:y.isRawShaderMaterial===!0,glslVersion:y.glslVersion,precision:$,batching:Me,batchingColor:Me&&U._colorsTexture!==null,instancing:Gt,instancingColor:Gt&&U.instanceColor!==null,instancingMorph:Gt&&U.morphTexture!==null,outputColorSpace:It===null?n.outputColorSpace:It.isXRRenderTarget===!0?It.texture.colorSpace:Zt.workingColorSpace,alphaToCoverage:!!y.alphaToCoverage,map:Nt,matcap:ie,envMap:ce,envMapMode:ce&&G.mapping,envMapPMREM:qt,envMapMaxLod:qt?Pt.length-1:null,envMapSize:qt?Pt[0].width:null,aoMap:Ge,lightMap:Ae,bumpMap:rn,normalMap:_e,displacementMap:Gn,emissiveMap:Ue,normalMapObjectSpace:_e&&y.normalMapType===Yp,normalMapTangentSpace:_e&&y.normalMapType===rc,packedNormalMap:_e&&y.normalMapType===rc&&Tw(y.normalMap.format),metalnessMap:_n,roughnessMap:vn,anisotropy:bn,anisotropyMap:Ft,clearcoat:O,clearcoatMap:E,clearcoatNormalMap:_,clearcoatRoughnessMap:k,diffuseRoughness:Sn,diffuseRoughnessMap:et,dispersion:me,retroreflection:ge,iridescence:ft,iridescenceMap:j,iridescenceThicknessMap:rt,sheen:Ce,sheenColorMap:ht,sheenRoughnessMap:Y,specularMap:K,specularColorMap:at,specularIntensityMap:R,transmission:Lt,transmissionMap:J,thicknessMap:X,gradientMap:lt,opaque:y.transparent===!1&&y.blending===Js&&y.alphaToCoverage===!1,alphaMap:st,alphaTest:ot,alphaHash:At,combine:y.combine,mapUv:Nt&&f(y.map.channel),aoMapUv:Ge&&f(y.aoMap.channel),lightMapUv:Ae&&f(y.lightMap.channel),bumpMapUv:rn&&f(y.bumpMap.channel),normalMapUv:_e&&f(y.normalMap.channel),displacementMapUv:Gn&&f(y.displacementMap.channel),emissiveMapUv:Ue&&f(y.emissiveMap.channel),metalnessMapUv:_n&&f(y.metalnessMap.channel),roughnessMapUv:vn&&f(y.roughnessMap.channel),anisotropyMapUv:Ft&&f(y.anisotropyMap.channel),clearcoatMapUv:E&&f(y.clearcoatMap.channel),clearcoatNormalMapUv:_&&f(y.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:k&&f(y.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:et&&f(y.diffuseRoughnessMap.channel),iridescenceMapUv:j&&f(y.iridescenceMap.channel),iridescenceThicknessMapUv:rt&&f(y.iridescenceThicknessMap.channel),sheenColorMapUv:ht&&f(y.sheenColorMap.channel),sheenRoughnessMapUv:Y&&f(y.sheenRoughnessMap.channel),specularMapUv:K&&f(y.specularMap.channel),specularColorMapUv:at&&f(y.specularColorMap.channel),specularIntensityMapUv:R&&f(y.specularIntensityMap.channel),transmissionMapUv:J&&f(y.transmissionMap.channel),thicknessMapUv:X&&f(y.thicknessMap.channel),alphaMapUv:st&&f(y.alphaMap.channel),vertexTangents:!!D.attributes.tangent&&(_e||bn),vertexNormals:!!D.attributes.normal,vertexColors:y.vertexColors,vertexAlphas:y.vertexColors===!0&&!!D.attributes.color&&D.attributes.color.itemSize===4,pointsUvs:U.isPoints===!0&&!!D.attributes.uv&&(Nt||st),fog:!!W,useFog:y.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:y.wireframe===!1&&(y.flatShading===!0||D.attributes.normal===void 0&&_e===!1&&(y.isMeshLambertMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isMeshPhysicalMaterial)),sizeAttenuation:y.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:xt,skinning:U.isSkinnedMesh===!0,hasPositionAttribute:D.attributes.position!==void 0,morphTargets:D.morphAttributes.position!==void 0,morphNormals:D.morphAttributes.normal!==void 0,morphColors:D.morphAttributes.color!==void 0,morphTargetsCount:tt,morphTextureStride:Et,numSunLights:w.sun.length,numDirLights:w.directional.length,numPointLights:w.point.length,numSpotLights:w.spot.length,numSpotLightMaps:w.spotLightMap.length,numRectAreaLights:w.rectArea.length,numHemiLights:w.hemi.length,numSunLightShadows:w.sunShadowMap.length,numDirLightShadows:w.directionalShadowMap.length,numPointLightShadows:w.pointShadowMap.length,numSpotLightShadows:w.spotShadowMap.length,numSpotLightShadowsWithMaps:w.numSpotLightShadowsWithMaps,numLightProbes:w.numLightProbes,numLightProbeGrids:B.filter(mt=>mt.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:y.dithering,shadowMapEnabled:n.shadowMap.enabled&&L.length>0,shadowMapType:n.shadowMap.type,toneMapping:it,decodeVideoTexture:Nt&&y.map.isVideoTexture===!0&&Zt.getTransfer(y.map.colorSpace)===ne,decodeVideoTextureEmissive:Ue&&y.emissiveMap.isVideoTexture===!0&&Zt.getTransfer(y.emissiveMap.colorSpace)===ne,premultipliedAlpha:y.premultipliedAlpha,doubleSided:y.side===on,flipSided:y.side===sn,useDepthPacking:y.depthPacking>=0,depthPacking:y.depthPacking||0,index0AttributeName:y.index0AttributeName,extensionClipCullDistance:Wt&&y.extensions.clipCullDistance===!0&&e.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Wt&&y.extensions.multiDraw===!0||Me)&&e.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:e.has("KHR_parallel_shader_compile"),customProgramCacheKey:y.customProgramCacheKey()};return Vt.vertexUv1s=l.has(1),Vt.vertexUv2s=l.has(2),Vt.vertexUv3s=l.has(3),l.clear(),Vt}function x(y){let w=[];if(y.shaderID?w.push(y.shaderID):(w.push(y.customVertexShaderID),w.push(y.customFragmentShaderID)),y.defines!==void 0)for(let L in y.defines)w.push(L),w.push(y.defines[L]);return y.isRawShaderMaterial===!1&&(m(w,y),g(w,y),w.push(n.outputColorSpace)),w.push(y.customProgramCacheKey),w.join()}function m(y,w){y.push(w.precision),y.push(w.outputColorSpace),y.push(w.envMapMode),y.push(w.envMapPMREM),y.push(w.envMapMaxLod),y.push(w.envMapSize),y.push(w.mapUv),y.push(w.alphaMapUv),y.push(w.lightMapUv),y.push(w.aoMapUv),y.push(w.bumpMapUv),y.push(w.normalMapUv),y.push(w.displacementMapUv),y.push(w.emissiveMapUv),y.push(w.metalnessMapUv),y.push(w.roughnessMapUv),y.push(w.anisotropyMapUv),y.push(w.clearcoatMapUv),y.push(w.clearcoatNormalMapUv),y.push(w.clearcoatRoughnessMapUv),y.push(w.diffuseRoughnessMapUv),y.push(w.iridescenceMapUv),y.push(w.iridescenceThicknessMapUv),y.push(w.sheenColorMapUv),y.push(w.sheenRoughnessMapUv),y.push(w.specularMapUv),y.push(w.specularColorMapUv),y.push(w.specularIntensityMapUv),y.push(w.transmissionMapUv),y.push(w.thicknessMapUv),y.push(w.combine),y.push(w.fogExp2),y.push(w.sizeAttenuation),y.push(w.morphTargetsCount),y.push(w.numSunLights),y.push(w.numDirLights),y.push(w.numPointLights),y.push(w.numSpotLights),y.push(w.numSpotLightMaps),y.push(w.numHemiLights),y.push(w.numRectAreaLights),y.push(w.numSunLightShadows),y.push(w.numDirLightShadows),y.push(w.numPointLightShadows),y.push(w.numSpotLightShadows),y.push(w.numSpotLightShadowsWithMaps),y.push(w.numLightProbes),y.push(w.numLightProbeGrids),y.push(w.shadowMapType),y.push(w.toneMapping),y.push(w.numClippingPlanes),y.push(w.numClipIntersection),y.push(w.depthPacking)}function g(y,w){o.disableAll(),w.instancing&&o.enable(0),w.instancingColor&&o.enable(1),w.instancingMorph&&o.enable(2),w.matcap&&o.enable(3),w.envMap&&o.enable(4),w.normalMapObjectSpace&&o.enable(5),w.normalMapTangentSpace&&o.enable(6),w.clearcoat&&o.enable(7),w.iridescence&&o.enable(8),w.alphaTest&&o.enable(9),w.vertexColors&&o.enable(10),w.vertexAlphas&&o.enable(11),w.vertexUv1s&&o.enable(12),w.vertexUv2s&&o.enable(13),w.vertexUv3s&&o.enable(14),w.vertexTangents&&o.enable(15),w.anisotropy&&o.enable(16),w.alphaHash&&o.enable(17),w.batching&&o.enable(18),w.dispersion&&o.enable(19),w.retroreflection&&o.enable(24),w.diffuseRoughness&&o.enable(25),w.batchingColor&&o.enable(20),w.gradientMap&&o.enable(21),w.packedNormalMap&&o.enable(22),w.vertexNormals&&o.enable(23),y.push(o.mask),o.disableAll(),w.fog&&o.enable(0),w.useFog&&o.enable(1),w.flatShading&&o.enable(2),w.logarithmicDepthBuffer&&o.enable(3),w.reversedDepthBuffer&&o.enable(4),w.skinning&&o.enable(5),w.morphTargets&&o.enable(6),w.morphNormals&&o.enable(7),w.morphColors&&o.enable(8),w.premultipliedAlpha&&o.enable(9),w.shadowMapEnabled&&o.enable(10),w.doubleSided&&o.enable(11),w.flipSided&&o.enable(12),w.useDepthPacking&&o.enable(13),w.dithering&&o.enable(14),w.transmission&&o.enable(15),w.sheen&&o.enable(16),w.opaque&&o.enable(17),w.pointsUvs&&o.enable(18),w.decodeVideoTexture&&o.enable(19),w.decodeVideoTextureEmissive&&o.enable(20),w.alphaToCoverage&&o.enable(21),w.numLightProbeGrids>0&&o.enable(22),w.hasPositionAttribute&&o.enable(23),y.push(o.mask)}function v(y){let w=d[y.type],L;if(w){let I=Zn[w];L=fm.clone(I.uniforms)}else L=y.uniforms;return L}function M(y,w){let L=h.get(w);return L!==void 0?++L.usedTimes:(L=new ww(n,w,y,s),c.push(L),h.set(w,L)),L}function S(y){if(--y.usedTimes===0){let w=c.indexOf(y);c[w]=c[c.length-1],c.pop(),h.delete(y.cacheKey),y.destroy()}}function T(y){a.remove(y)}function A(){a.dispose()}return{getParameters:p,getProgramCacheKey:x,getUniforms:v,acquireProgram:M,releaseProgram:S,releaseShaderCache:T,programs:c,dispose:A}}function Cw(){let n=new WeakMap;function t(o){return n.has(o)}function e(o){let a=n.get(o);return a===void 0&&(a={},n.set(o,a)),a}function i(o){n.delete(o)}function s(o,a,l){n.get(o)[a]=l}function r(){n=new WeakMap}return{has:t,get:e,remove:i,update:s,dispose:r}}function Pw(n,t){return n.groupOrder!==t.groupOrder?n.groupOrder-t.groupOrder:n.renderOrder!==t.renderOrder?n.renderOrder-t.renderOrder:n.material.id!==t.material.id?n.material.id-t.material.id:n.materialVariant!==t.materialVariant?n.materialVariant-t.materialVariant:n.z!==t.z?n.z-t.z:n.id-t.id}function Dm(n,t){return n.groupOrder!==t.groupOrder?n.groupOrder-t.groupOrder:n.renderOrder!==t.renderOrder?n.renderOrder-t.renderOrder:n.z!==t.z?t.z-n.z:n.id-t.id}function Nm(){let n=[],t=0,e=[],i=[],s=[];function r(){t=0,e.length=0,i.length=0,s.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,p,x,m,g){let v=n[t];return v===void 0?(v={id:d.id,object:d,geometry:f,material:p,materialVariant:o(d),groupOrder:x,renderOrder:d.renderOrder,z:m,group:g},n[t]=v):(v.id=d.id,v.object=d,v.geometry=f,v.material=p,v.materialVariant=o(d),v.groupOrder=x,v.renderOrder=d.renderOrder,v.z=m,v.group=g),t++,v}function l(d,f,p,x,m,g,v){v.reversedDepth===!0&&(m=-m);let M=a(d,f,p,x,m,g);p.transmission>0?i.push(M):p.transparent===!0?s.push(M):e.push(M)}function c(d,f,p,x,m,g){let v=a(d,f,p,x,m,g);p.transmission>0?i.unshift(v):p.transparent===!0?s.unshift(v):e.unshift(v)}function h(d,f){e.length>1&&e.sort(d||Pw),i.length>1&&i.sort(f||Dm),s.length>1&&s.sort(f||Dm)}function u(){for(let d=t,f=n.length;d<f;d++){let p=n[d];if(p.id===null)break;p.id=null,p.object=null,p.geometry=null,p.material=null,p.group=null}}return{opaque:e,transmissive:i,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function Rw(){let n=new WeakMap;function t(i,s){let r=n.get(i),o;return r===void 0?(o=new Nm,n.set(i,[o])):s>=r.length?(o=new Nm,r.push(o)):o=r[s],o}function e(){n=new WeakMap}return{get:t,dispose:e}}function Iw(){let n={};return{get:function(t){if(n[t.id]!==void 0)return n[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={direction:new C,color:new Rt};break;case"SpotLight":e={position:new C,direction:new C,color:new Rt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new C,color:new Rt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new C,skyColor:new Rt,groundColor:new Rt};break;case"RectAreaLight":e={color:new Rt,position:new C,halfWidth:new C,halfHeight:new C};break}return n[t.id]=e,e}}}function Lw(){let n={};return{get:function(t){if(n[t.id]!==void 0)return n[t.id];let e;switch(t.type){case"SunLight":case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new dt};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new dt};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new dt,shadowCameraNear:1,shadowCameraFar:1e3};break}return n[t.id]=e,e}}}var Dw=0;function Nw(n,t){return(t.castShadow?2:0)-(n.castShadow?2:0)+(t.map?1:0)-(n.map?1:0)}function Ow(n){let t=new Iw,e=Lw(),i={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)i.probe.push(new C);let s=new C,r=new kt,o=new kt;function a(c){let h=0,u=0,d=0;for(let B=0;B<9;B++)i.probe[B].set(0,0,0);let f=0,p=0,x=0,m=0,g=0,v=0,M=0,S=0,T=0,A=0,y=0,w=0,L=0,I=0;c.sort(Nw);for(let B=0,W=c.length;B<W;B++){let D=c[B],V=D.color,q=D.intensity,G=D.distance,nt=null;if(D.shadow&&D.shadow.map&&(D.shadow.map.texture.format===Oi?nt=D.shadow.map.texture:nt=D.shadow.map.depthTexture||D.shadow.map.texture),D.isAmbientLight)h+=V.r*q,u+=V.g*q,d+=V.b*q;else if(D.isLightProbe){for(let $=0;$<9;$++)i.probe[$].addScaledVector(D.sh.coefficients[$],q);I++}else if(D.isSunLight){let $=t.get(D);if($.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,tt=e.get(D);tt.shadowIntensity=Q.intensity,tt.shadowBias=Q.bias,tt.shadowNormalBias=Q.normalBias,tt.shadowRadius=Q.radius,tt.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),i.sunShadow[p]=tt,i.sunShadowMap[p]=nt;let Et=Q.getViewportCount();for(let zt=0;zt<Et;zt++)i.sunShadowMatrix[x+zt]=Q.getMatrix(zt),i.sunShadowCascade[x+zt]=Q._cascadeData[zt];x+=Et,p++}i.sun[f]=$,f++}else if(D.isDirectionalLight){let $=t.get(D);if($.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,tt=e.get(D);tt.shadowIntensity=Q.intensity,tt.shadowBias=Q.bias,tt.shadowNormalBias=Q.normalBias,tt.shadowRadius=Q.radius,tt.shadowMapSize=Q.mapSize,i.directionalShadow[m]=tt,i.directionalShadowMap[m]=nt,i.directionalShadowMatrix[m]=D.shadow.matrix,T++}i.directional[m]=$,m++}else if(D.isSpotLight){let $=t.get(D);$.position.setFromMatrixPosition(D.matrixWorld),$.color.copy(V).multiplyScalar(q),$.distance=G,$.coneCos=Math.cos(D.angle),$.penumbraCos=Math.cos(D.angle*(1-D.penumbra)),$.decay=D.decay,i.spot[v]=$;let Q=D.shadow;if(D.map&&(i.spotLightMap[w]=D.map,w++,Q.updateMatrices(D),D.castShadow&&L++),i.spotLightMatrix[v]=Q.matrix,D.castShadow){let tt=e.get(D);tt.shadowIntensity=Q.intensity,tt.shadowBias=Q.bias,tt.shadowNormalBias=Q.normalBias,tt.shadowRadius=Q.radius,tt.shadowMapSize=Q.mapSize,i.spotShadow[v]=tt,i.spotShadowMap[v]=nt,y++}v++}else if(D.isRectAreaLight){let $=t.get(D);$.color.copy(V).multiplyScalar(q),$.halfWidth.set(D.width*.5,0,0),$.halfHeight.set(0,D.height*.5,0),i.rectArea[M]=$,M++}else if(D.isPointLight){let $=t.get(D);if($.color.copy(D.color).multiplyScalar(D.intensity),$.distance=D.distance,$.decay=D.decay,D.castShadow){let Q=D.shadow,tt=e.get(D);tt.shadowIntensity=Q.intensity,tt.shadowBias=Q.bias,tt.shadowNormalBias=Q.normalBias,tt.shadowRadius=Q.radius,tt.shadowMapSize=Q.mapSize,tt.shadowCameraNear=Q.camera.near,tt.shadowCameraFar=Q.camera.far,i.pointShadow[g]=tt,i.pointShadowMap[g]=nt,i.pointShadowMatrix[g]=D.shadow.matrix,A++}i.point[g]=$,g++}else if(D.isHemisphereLight){let $=t.get(D);$.skyColor.copy(D.color).multiplyScalar(q),$.groundColor.copy(D.groundColor).multiplyScalar(q),i.hemi[S]=$,S++}}M>0&&(n.has("OES_texture_float_linear")===!0?(i.rectAreaLTC1=gt.LTC_FLOAT_1,i.rectAreaLTC2=gt.LTC_FLOAT_2):(i.rectAreaLTC1=gt.LTC_HALF_1,i.rectAreaLTC2=gt.LTC_HALF_2)),i.ambient[0]=h,i.ambient[1]=u,i.ambient[2]=d;let U=i.hash;(U.sunLength!==f||U.directionalLength!==m||U.pointLength!==g||U.spotLength!==v||U.rectAreaLength!==M||U.hemiLength!==S||U.numSunShadows!==p||U.numDirectionalShadows!==T||U.numPointShadows!==A||U.numSpotShadows!==y||U.numSpotMaps!==w||U.numLightProbes!==I)&&(i.sun.length=f,i.directional.length=m,i.spot.length=v,i.rectArea.length=M,i.point.length=g,i.hemi.length=S,i.sunShadow.length=p,i.sunShadowMap.length=p,i.sunShadowMatrix.length=x,i.sunShadowCascade.length=x,i.directionalShadow.length=T,i.directionalShadowMap.length=T,i.directionalShadowMatrix.length=T,i.pointShadow.length=A,i.pointShadowMap.length=A,i.pointShadowMatrix.length=A,i.spotShadow.length=y,i.spotShadowMap.length=y,i.spotLightMatrix.length=y+w-L,i.spotLightMap.length=w,i.numSpotLightShadowsWithMaps=L,i.numLightProbes=I,U.sunLength=f,U.directionalLength=m,U.pointLength=g,U.spotLength=v,U.rectAreaLength=M,U.hemiLength=S,U.numSunShadows=p,U.numDirectionalShadows=T,U.numPointShadows=A,U.numSpotShadows=y,U.numSpotMaps=w,U.numLightProbes=I,i.version=Dw++)}function l(c,h){let u=0,d=0,f=0,p=0,x=0,m=0,g=h.matrixWorldInverse;for(let v=0,M=c.length;v<M;v++){let S=c[v];if(S.isSunLight){let T=i.sun[u];T.direction.setFromMatrixPosition(S.matrixWorld),T.direction.transformDirection(g),u++}else if(S.isDirectionalLight){let T=i.directional[d];T.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),T.direction.sub(s),T.direction.transformDirection(g),d++}else if(S.isSpotLight){let T=i.spot[p];T.position.setFromMatrixPosition(S.matrixWorld),T.position.applyMatrix4(g),T.direction.setFromMatrixPosition(S.matrixWorld),s.setFromMatrixPosition(S.target.matrixWorld),T.direction.sub(s),T.direction.transformDirection(g),p++}else if(S.isRectAreaLight){let T=i.rectArea[x];T.position.setFromMatrixPosition(S.matrixWorld),T.position.applyMatrix4(g),o.identity(),r.copy(S.matrixWorld),r.premultiply(g),o.extractRotation(r),T.halfWidth.set(S.width*.5,0,0),T.halfHeight.set(0,S.height*.5,0),T.halfWidth.applyMatrix4(o),T.halfHeight.applyMatrix4(o),x++}else if(S.isPointLight){let T=i.point[f];T.position.setFromMatrixPosition(S.matrixWorld),T.position.applyMatrix4(g),f++}else if(S.isHemisphereLight){let T=i.hemi[m];T.direction.setFromMatrixPosition(S.matrixWorld),T.direction.transformDirection(g),m++}}}return{setup:a,setupView:l,state:i}}function Om(n){let t=new Ow(n),e=[],i=[],s=[];function r(u){h.camera=u,e.length=0,i.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):e.push(u)}function a(u){i.push(u)}function l(){t.setup(e),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){t.setupView(e,u)}let h={lightsArray:e,shadowsArray:i,lightProbeGridArray:s,camera:null,lights:t,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function Uw(n){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new Om(n),t.set(s,[a])):r>=o.length?(a=new Om(n),o.push(a)):a=o[r],a}function i(){t=new WeakMap}return{get:e,dispose:i}}var Fw=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,kw=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,Bw=[new C(1,0,0),new C(-1,0,0),new C(0,1,0),new C(0,-1,0),new C(0,0,1),new C(0,0,-1)],zw=[new C(0,-1,0),new C(0,-1,0),new C(0,0,1),new C(0,0,-1),new C(0,-1,0),new C(0,-1,0)],Um=new kt,Mo=new C,id=new C;function Hw(n,t,e){let i=new Pi,s=new dt,r=new dt,o=new re,a=new sl,l=new rl,c={},h=e.maxTextureSize,u={[$n]:sn,[sn]:$n,[on]:on},d=new Tn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new dt},radius:{value:4}},vertexShader:Fw,fragmentShader:kw}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let p=new oe;p.setAttribute("position",new Qt(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let x=new le(p,d),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=mo;let g=this.type;this.render=function(A,y,w){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||A.length===0)return;this.type===wp&&(Ct("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=mo);let L=n.getRenderTarget(),I=n.getActiveCubeFace(),U=n.getActiveMipmapLevel(),B=n.state;B.setBlending(ns),B.buffers.depth.getReversed()===!0?B.buffers.color.setClear(0,0,0,0):B.buffers.color.setClear(1,1,1,1),B.buffers.depth.setTest(!0),B.setScissorTest(!1);let W=g!==this.type;W&&y.traverse(function(D){D.material&&(Array.isArray(D.material)?D.material.forEach(V=>V.needsUpdate=!0):D.material.needsUpdate=!0)});for(let D=0,V=A.length;D<V;D++){let q=A[D],G=q.shadow;if(G===void 0){Ct("WebGLShadowMap:",q,"has no shadow.");continue}if(G.autoUpdate===!1&&G.needsUpdate===!1)continue;s.copy(G.mapSize);let nt=G.getFrameExtents();s.multiply(nt),r.copy(G.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/nt.x),s.x=r.x*nt.x,G.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/nt.y),s.y=r.y*nt.y,G.mapSize.y=r.y));let $=n.state.buffers.depth.getReversed();if(G.camera._reversedDepth=$,G.map===null||W===!0){if(G.map!==null&&(G.map.depthTexture!==null&&(G.map.depthTexture.dispose(),G.map.depthTexture=null),G.map.dispose()),this.type===Zs){if(q.isPointLight){Ct("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}G.map=new pn(s.x,s.y,{format:Oi,type:Fn,minFilter:je,magFilter:je,generateMipmaps:!1}),G.map.texture.name=q.name+".shadowMap",G.map.depthTexture=new fi(s.x,s.y,yn),G.map.depthTexture.name=q.name+".shadowMapDepth",G.map.depthTexture.format=ci,G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=ze,G.map.depthTexture.magFilter=ze}else q.isPointLight?(G.map=new Eo(s.x),G.map.depthTexture=new Xr(s.x,Un)):(G.map=new pn(s.x,s.y),G.map.depthTexture=new fi(s.x,s.y,Un)),G.map.depthTexture.name=q.name+".shadowMap",G.map.depthTexture.format=ci,this.type===mo?(G.map.depthTexture.compareFunction=$?Wu:Vu,G.map.depthTexture.minFilter=je,G.map.depthTexture.magFilter=je):(G.map.depthTexture.compareFunction=null,G.map.depthTexture.minFilter=ze,G.map.depthTexture.magFilter=ze);G.camera.updateProjectionMatrix()}G.map.isWebGLCubeRenderTarget!==!0&&(G.map.width!==s.x||G.map.height!==s.y)&&G.map.setSize(s.x,s.y);let Q=G.map.isWebGLCubeRenderTarget?6:G.getViewportCount();q.isPointLight!==!0&&G.updateMatrices(q,w);let tt=(G.camera.layers.mask&4294967294)!==0?G.camera.layers:w.layers;for(let Et=0;Et<Q;Et++){let zt=G.getCamera(Et);if(q.isPointLight){let Z=G.camera,yt=G.matrix,St=q.distance||Z.far;St!==Z.far&&(Z.far=St,Z.updateProjectionMatrix()),Mo.setFromMatrixPosition(q.matrixWorld),Z.position.copy(Mo),id.copy(Z.position),id.add(Bw[Et]),Z.up.copy(zw[Et]),Z.lookAt(id),Z.updateMatrixWorld(),yt.makeTranslation(-Mo.x,-Mo.y,-Mo.z),Um.multiplyMatrices(Z.projectionMatrix,Z.matrixWorldInverse),G._frustum.setFromProjectionMatrix(Um,Z.coordinateSystem,Z.reversedDepth)}if(G.map.isWebGLCubeRenderTarget)n.setRenderTarget(G.map,Et),n.clear();else{Et===0&&(n.setRenderTarget(G.map),n.clear());let Z=G.getViewport(Et);o.set(r.x*Z.x,r.y*Z.y,r.x*Z.z,r.y*Z.w),B.viewport(o)}i=G.getFrustum(Et),S(y,w,zt,q,tt,this.type)}G.isPointLightShadow!==!0&&this.type===Zs&&v(G,w),G.needsUpdate=!1}g=this.type,m.needsUpdate=!1,n.setRenderTarget(L,I,U)};function v(A,y){let w=t.update(x);d.defines.VSM_SAMPLES!==A.blurSamples&&(d.defines.VSM_SAMPLES=A.blurSamples,f.defines.VSM_SAMPLES=A.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),A.mapPass===null?A.mapPass=new pn(s.x,s.y,{format:Oi,type:Fn}):(A.mapPass.width!==A.map.width||A.mapPass.height!==A.map.height)&&A.mapPass.setSize(A.map.width,A.map.height),d.uniforms.shadow_pass.value=A.map.depthTexture,d.uniforms.resolution.value.set(A.map.width,A.map.height),d.uniforms.radius.value=A.radius,n.setRenderTarget(A.mapPass),n.clear(),n.renderBufferDirect(y,null,w,d,x,null),f.uniforms.shadow_pass.value=A.mapPass.texture,f.uniforms.resolution.value.set(A.map.width,A.map.height),f.uniforms.radius.value=A.radius,n.setRenderTarget(A.map),n.clear(),n.renderBufferDirect(y,null,w,f,x,null)}function M(A,y,w,L){let I=null,U=w.isPointLight===!0?A.customDistanceMaterial:A.customDepthMaterial;if(U!==void 0)I=U;else if(I=w.isPointLight===!0?l:a,n.localClippingEnabled&&y.clipShadows===!0&&Array.isArray(y.clippingPlanes)&&y.clippingPlanes.length!==0||y.displacementMap&&y.displacementScale!==0||y.alphaMap&&y.alphaTest>0||y.map&&y.alphaTest>0||y.alphaToCoverage===!0){let B=I.uuid,W=y.uuid,D=c[B];D===void 0&&(D={},c[B]=D);let V=D[W];V===void 0&&(V=I.clone(),D[W]=V,y.addEventListener("dispose",T)),I=V}if(I.visible=y.visible,I.wireframe=y.wireframe,L===Zs?I.side=y.shadowSide!==null?y.shadowSide:y.side:I.side=y.shadowSide!==null?y.shadowSide:u[y.side],I.alphaMap=y.alphaMap,I.alphaTest=y.alphaToCoverage===!0?.5:y.alphaTest,I.map=y.map,I.clipShadows=y.clipShadows,I.clippingPlanes=y.clippingPlanes,I.clipIntersection=y.clipIntersection,I.displacementMap=y.displacementMap,I.displacementScale=y.displacementScale,I.displacementBias=y.displacementBias,I.wireframeLinewidth=y.wireframeLinewidth,I.linewidth=y.linewidth,w.isPointLight===!0&&I.isMeshDistanceMaterial===!0){let B=n.properties.get(I);B.light=w}return I}function S(A,y,w,L,I,U){if(A.visible===!1)return;if(A.layers.test(I)&&(A.isMesh||A.isLine||A.isPoints)&&(A.castShadow||A.receiveShadow&&U===Zs)&&(!A.frustumCulled||A.intersectsFrustum(i))){A.modelViewMatrix.multiplyMatrices(w.matrixWorldInverse,A.matrixWorld);let D=t.update(A),V=A.material;if(Array.isArray(V)){let q=D.groups;for(let G=0,nt=q.length;G<nt;G++){let $=q[G],Q=V[$.materialIndex];if(Q&&Q.visible){let tt=M(A,Q,L,U);A.onBeforeShadow(n,A,y,w,D,tt,$),n.renderBufferDirect(w,null,D,tt,A,$),A.onAfterShadow(n,A,y,w,D,tt,$)}}}else if(V.visible){let q=M(A,V,L,U);A.onBeforeShadow(n,A,y,w,D,q,null),n.renderBufferDirect(w,null,D,q,A,null),A.onAfterShadow(n,A,y,w,D,q,null)}}let W=A.children;for(let D=0,V=W.length;D<V;D++)S(W[D],y,w,L,I,U)}function T(A){A.target.removeEventListener("dispose",T);for(let w in c){let L=c[w],I=A.target.uuid;I in L&&(L[I].dispose(),delete L[I])}}}function Gw(n,t){function e(){let R=!1,J=new re,X=null,lt=new re(0,0,0,0);return{setMask:function(st){X!==st&&!R&&(n.colorMask(st,st,st,st),X=st)},setLocked:function(st){R=st},setClear:function(st,ot,At,Wt,it){it===!0&&(st*=Wt,ot*=Wt,At*=Wt),J.set(st,ot,At,Wt),lt.equals(J)===!1&&(n.clearColor(st,ot,At,Wt),lt.copy(J))},reset:function(){R=!1,X=null,lt.set(-1,0,0,0)}}}function i(){let R=!1,J=!1,X=null,lt=null,st=null;return{setReversed:function(ot){if(J!==ot){let At=t.get("EXT_clip_control");ot?At.clipControlEXT(At.LOWER_LEFT_EXT,At.ZERO_TO_ONE_EXT):At.clipControlEXT(At.LOWER_LEFT_EXT,At.NEGATIVE_ONE_TO_ONE_EXT),J=ot;let Wt=st;st=null,this.setClear(Wt)}},getReversed:function(){return J},setTest:function(ot){ot?xt(n.DEPTH_TEST):Gt(n.DEPTH_TEST)},setMask:function(ot){X!==ot&&!R&&(n.depthMask(ot),X=ot)},setFunc:function(ot){if(J&&(ot=rm[ot]),lt!==ot){switch(ot){case Da:n.depthFunc(n.NEVER);break;case Na:n.depthFunc(n.ALWAYS);break;case Oa:n.depthFunc(n.LESS);break;case Us:n.depthFunc(n.LEQUAL);break;case Ua:n.depthFunc(n.EQUAL);break;case Fa:n.depthFunc(n.GEQUAL);break;case ka:n.depthFunc(n.GREATER);break;case Ba:n.depthFunc(n.NOTEQUAL);break;default:n.depthFunc(n.LEQUAL)}lt=ot}},setLocked:function(ot){R=ot},setClear:function(ot){st!==ot&&(st=ot,J&&(ot=1-ot),n.clearDepth(ot))},reset:function(){R=!1,X=null,lt=null,st=null,J=!1}}}function s(){let R=!1,J=null,X=null,lt=null,st=null,ot=null,At=null,Wt=null,it=null;return{setTest:function(Pt){R||(Pt?xt(n.STENCIL_TEST):Gt(n.STENCIL_TEST))},setMask:function(Pt){J!==Pt&&!R&&(n.stencilMask(Pt),J=Pt)},setFunc:function(Pt,Vt,mt){(X!==Pt||lt!==Vt||st!==mt)&&(n.stencilFunc(Pt,Vt,mt),X=Pt,lt=Vt,st=mt)},setOp:function(Pt,Vt,mt){(ot!==Pt||At!==Vt||Wt!==mt)&&(n.stencilOp(Pt,Vt,mt),ot=Pt,At=Vt,Wt=mt)},setLocked:function(Pt){R=Pt},setClear:function(Pt){it!==Pt&&(n.clearStencil(Pt),it=Pt)},reset:function(){R=!1,J=null,X=null,lt=null,st=null,ot=null,At=null,Wt=null,it=null}}}let r=new e,o=new i,a=new s,l={},c=new WeakMap,h={},u={},d={},f=new WeakMap,p=[],x=null,m=!1,g=null,v=null,M=null,S=null,T=null,A=null,y=null,w=new Rt(0,0,0),L=0,I=!1,U=null,B=null,W=null,D=null,V=null,q=n.getParameter(n.MAX_COMBINED_TEXTURE_IMAGE_UNITS),G=!1,nt=0,$=n.getParameter(n.VERSION);$.indexOf("WebGL")!==-1?(nt=parseFloat(/^WebGL (\d)/.exec($)[1]),G=nt>=1):$.indexOf("OpenGL ES")!==-1&&(nt=parseFloat(/^OpenGL ES (\d)/.exec($)[1]),G=nt>=2);let Q=null,tt={},Et=n.getParameter(n.SCISSOR_BOX),zt=n.getParameter(n.VIEWPORT),Z=new re().fromArray(Et),yt=new re().fromArray(zt);function St(R,J,X,lt){let st=new Uint8Array(4),ot=n.createTexture();n.bindTexture(R,ot),n.texParameteri(R,n.TEXTURE_MIN_FILTER,n.NEAREST),n.texParameteri(R,n.TEXTURE_MAG_FILTER,n.NEAREST);for(let At=0;At<X;At++)R===n.TEXTURE_3D||R===n.TEXTURE_2D_ARRAY?n.texImage3D(J,0,n.RGBA,1,1,lt,0,n.RGBA,n.UNSIGNED_BYTE,st):n.texImage2D(J+At,0,n.RGBA,1,1,0,n.RGBA,n.UNSIGNED_BYTE,st);return ot}let It={};It[n.TEXTURE_2D]=St(n.TEXTURE_2D,n.TEXTURE_2D,1),It[n.TEXTURE_CUBE_MAP]=St(n.TEXTURE_CUBE_MAP,n.TEXTURE_CUBE_MAP_POSITIVE_X,6),It[n.TEXTURE_2D_ARRAY]=St(n.TEXTURE_2D_ARRAY,n.TEXTURE_2D_ARRAY,1,1),It[n.TEXTURE_3D]=St(n.TEXTURE_3D,n.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),xt(n.DEPTH_TEST),o.setFunc(Us),rn(!1),_e(Mu),xt(n.CULL_FACE),Ge(ns);function xt(R){h[R]!==!0&&(n.enable(R),h[R]=!0)}function Gt(R){h[R]!==!1&&(n.disable(R),h[R]=!1)}function Me(R,J){return d[R]!==J?(n.bindFramebuffer(R,J),d[R]=J,R===n.DRAW_FRAMEBUFFER&&(d[n.FRAMEBUFFER]=J),R===n.FRAMEBUFFER&&(d[n.DRAW_FRAMEBUFFER]=J),!0):!1}function Nt(R,J){let X=p,lt=!1;if(R){X=f.get(J),X===void 0&&(X=[],f.set(J,X));let st=R.textures;if(X.length!==st.length||X[0]!==n.COLOR_ATTACHMENT0){for(let ot=0,At=st.length;ot<At;ot++)X[ot]=n.COLOR_ATTACHMENT0+ot;X.length=st.length,lt=!0}}else X[0]!==n.BACK&&(X[0]=n.BACK,lt=!0);lt&&n.drawBuffers(X)}function ie(R){return x!==R?(n.useProgram(R),x=R,!0):!1}let ce={[is]:n.FUNC_ADD,[Tp]:n.FUNC_SUBTRACT,[Ap]:n.FUNC_REVERSE_SUBTRACT};ce[Cp]=n.MIN,ce[Pp]=n.MAX;let qt={[Rp]:n.ZERO,[Ip]:n.ONE,[Lp]:n.SRC_COLOR,[Au]:n.SRC_ALPHA,[kp]:n.SRC_ALPHA_SATURATE,[Up]:n.DST_COLOR,[Np]:n.DST_ALPHA,[Dp]:n.ONE_MINUS_SRC_COLOR,[Cu]:n.ONE_MINUS_SRC_ALPHA,[Fp]:n.ONE_MINUS_DST_COLOR,[Op]:n.ONE_MINUS_DST_ALPHA,[Bp]:n.CONSTANT_COLOR,[zp]:n.ONE_MINUS_CONSTANT_COLOR,[Hp]:n.CONSTANT_ALPHA,[Gp]:n.ONE_MINUS_CONSTANT_ALPHA};function Ge(R,J,X,lt,st,ot,At,Wt,it,Pt){if(R===ns){m===!0&&(Gt(n.BLEND),m=!1);return}if(m===!1&&(xt(n.BLEND),m=!0),R!==Ep){if(R!==g||Pt!==I){if((v!==is||T!==is)&&(n.blendEquation(n.FUNC_ADD),v=is,T=is),Pt)switch(R){case Js:n.blendFuncSeparate(n.ONE,n.ONE_MINUS_SRC_ALPHA,n.ONE,n.ONE_MINUS_SRC_ALPHA);break;case wu:n.blendFunc(n.ONE,n.ONE);break;case Eu:n.blendFuncSeparate(n.ZERO,n.ONE_MINUS_SRC_COLOR,n.ZERO,n.ONE);break;case Tu:n.blendFuncSeparate(n.DST_COLOR,n.ONE_MINUS_SRC_ALPHA,n.ZERO,n.ONE);break;default:Ot("WebGLState: Invalid blending: ",R);break}else switch(R){case Js:n.blendFuncSeparate(n.SRC_ALPHA,n.ONE_MINUS_SRC_ALPHA,n.ONE,n.ONE_MINUS_SRC_ALPHA);break;case wu:n.blendFuncSeparate(n.SRC_ALPHA,n.ONE,n.ONE,n.ONE);break;case Eu:Ot("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Tu:Ot("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Ot("WebGLState: Invalid blending: ",R);break}M=null,S=null,A=null,y=null,w.set(0,0,0),L=0,g=R,I=Pt}return}st=st||J,ot=ot||X,At=At||lt,(J!==v||st!==T)&&(n.blendEquationSeparate(ce[J],ce[st]),v=J,T=st),(X!==M||lt!==S||ot!==A||At!==y)&&(n.blendFuncSeparate(qt[X],qt[lt],qt[ot],qt[At]),M=X,S=lt,A=ot,y=At),(Wt.equals(w)===!1||it!==L)&&(n.blendColor(Wt.r,Wt.g,Wt.b,it),w.copy(Wt),L=it),g=R,I=!1}function Ae(R,J){R.side===on?Gt(n.CULL_FACE):xt(n.CULL_FACE);let X=R.side===sn;J&&(X=!X),rn(X),R.blending===Js&&R.transparent===!1?Ge(ns):Ge(R.blending,R.blendEquation,R.blendSrc,R.blendDst,R.blendEquationAlpha,R.blendSrcAlpha,R.blendDstAlpha,R.blendColor,R.blendAlpha,R.premultipliedAlpha),o.setFunc(R.depthFunc),o.setTest(R.depthTest),o.setMask(R.depthWrite),r.setMask(R.colorWrite);let lt=R.stencilWrite;a.setTest(lt),lt&&(a.setMask(R.stencilWriteMask),a.setFunc(R.stencilFunc,R.stencilRef,R.stencilFuncMask),a.setOp(R.stencilFail,R.stencilZFail,R.stencilZPass)),Ue(R.polygonOffset,R.polygonOffsetFactor,R.polygonOffsetUnits),R.alphaToCoverage===!0?xt(n.SAMPLE_ALPHA_TO_COVERAGE):Gt(n.SAMPLE_ALPHA_TO_COVERAGE)}function rn(R){U!==R&&(R?n.frontFace(n.CW):n.frontFace(n.CCW),U=R)}function _e(R){R!==Sp?(xt(n.CULL_FACE),R!==B&&(R===Mu?n.cullFace(n.BACK):R===Mp?n.cullFace(n.FRONT):n.cullFace(n.FRONT_AND_BACK))):Gt(n.CULL_FACE),B=R}function Gn(R){R!==W&&(G&&n.lineWidth(R),W=R)}function Ue(R,J,X){R?(xt(n.POLYGON_OFFSET_FILL),(D!==J||V!==X)&&(D=J,V=X,o.getReversed()&&(J=-J,X=-X),n.polygonOffset(J,X))):Gt(n.POLYGON_OFFSET_FILL)}function _n(R){R?xt(n.SCISSOR_TEST):Gt(n.SCISSOR_TEST)}function vn(R){R===void 0&&(R=n.TEXTURE0+q-1),Q!==R&&(n.activeTexture(R),Q=R)}function bn(R,J,X){X===void 0&&(Q===null?X=n.TEXTURE0+q-1:X=Q);let lt=tt[X];lt===void 0&&(lt={type:void 0,texture:void 0},tt[X]=lt),(lt.type!==R||lt.texture!==J)&&(Q!==X&&(n.activeTexture(X),Q=X),n.bindTexture(R,J||It[R]),lt.type=R,lt.texture=J)}function O(){let R=tt[Q];R!==void 0&&R.type!==void 0&&(n.bindTexture(R.type,null),R.type=void 0,R.texture=void 0)}function Sn(){try{n.compressedTexImage2D(...arguments)}catch(R){Ot("WebGLState:",R)}}function me(){try{n.compressedTexImage3D(...arguments)}catch(R){Ot("WebGLState:",R)}}function ge(){try{n.texSubImage2D(...arguments)}catch(R){Ot("WebGLState:",R)}}function ft(){try{n.texSubImage3D(...arguments)}catch(R){Ot("WebGLState:",R)}}function Ce(){try{n.compressedTexSubImage2D(...arguments)}catch(R){Ot("WebGLState:",R)}}function Lt(){try{n.compressedTexSubImage3D(...arguments)}catch(R){Ot("WebGLState:",R)}}function Ft(){try{n.texStorage2D(...arguments)}catch(R){Ot("WebGLState:",R)}}function E(){try{n.texStorage3D(...arguments)}catch(R){Ot("WebGLState:",R)}}function _(){try{n.texImage2D(...arguments)}catch(R){Ot("WebGLState:",R)}}function k(){try{n.texImage3D(...arguments)}catch(R){Ot("WebGLState:",R)}}function et(R){return u[R]!==void 0?u[R]:n.getParameter(R)}function j(R,J){u[R]!==J&&(n.pixelStorei(R,J),u[R]=J)}function rt(R){Z.equals(R)===!1&&(n.scissor(R.x,R.y,R.z,R.w),Z.copy(R))}function ht(R){yt.equals(R)===!1&&(n.viewport(R.x,R.y,R.z,R.w),yt.copy(R))}function Y(R,J){let X=c.get(J);X===void 0&&(X=new WeakMap,c.set(J,X));let lt=X.get(R);lt===void 0&&(lt=n.getUniformBlockIndex(J,R.name),n.uniformBlockBinding(J,lt,lt),X.set(R,lt))}function K(R,J,X){let st=c.get(J).get(R);l[st]!==X&&(n.bindBufferBase(n.UNIFORM_BUFFER,st,X),l[st]=X)}function at(){n.disable(n.BLEND),n.disable(n.CULL_FACE),n.disable(n.DEPTH_TEST),n.disable(n.POLYGON_OFFSET_FILL),n.disable(n.SCISSOR_TEST),n.disable(n.STENCIL_TEST),n.disable(n.SAMPLE_ALPHA_TO_COVERAGE),n.blendEquation(n.FUNC_ADD),n.blendFunc(n.ONE,n.ZERO),n.blendFuncSeparate(n.ONE,n.ZERO,n.ONE,n.ZERO),n.blendColor(0,0,0,0),n.colorMask(!0,!0,!0,!0),n.clearColor(0,0,0,0),n.depthMask(!0),n.depthFunc(n.LESS),o.setReversed(!1),n.clearDepth(1),n.stencilMask(4294967295),n.stencilFunc(n.ALWAYS,0,4294967295),n.stencilOp(n.KEEP,n.KEEP,n.KEEP),n.clearStencil(0),n.cullFace(n.BACK),n.frontFace(n.CCW),n.polygonOffset(0,0),n.activeTexture(n.TEXTURE0),n.bindFramebuffer(n.FRAMEBUFFER,null),n.bindFramebuffer(n.DRAW_FRAMEBUFFER,null),n.bindFramebuffer(n.READ_FRAMEBUFFER,null),n.useProgram(null),n.lineWidth(1),n.scissor(0,0,n.canvas.width,n.canvas.height),n.viewport(0,0,n.canvas.width,n.canvas.height),n.pixelStorei(n.PACK_ALIGNMENT,4),n.pixelStorei(n.UNPACK_ALIGNMENT,4),n.pixelStorei(n.UNPACK_FLIP_Y_WEBGL,!1),n.pixelStorei(n.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),n.pixelStorei(n.UNPACK_COLORSPACE_CONVERSION_WEBGL,n.BROWSER_DEFAULT_WEBGL),n.pixelStorei(n.PACK_ROW_LENGTH,0),n.pixelStorei(n.PACK_SKIP_PIXELS,0),n.pixelStorei(n.PACK_SKIP_ROWS,0),n.pixelStorei(n.UNPACK_ROW_LENGTH,0),n.pixelStorei(n.UNPACK_IMAGE_HEIGHT,0),n.pixelStorei(n.UNPACK_SKIP_PIXELS,0),n.pixelStorei(n.UNPACK_SKIP_ROWS,0),n.pixelStorei(n.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,tt={},d={},l={},f=new WeakMap,p=[],x=null,m=!1,g=null,v=null,M=null,S=null,T=null,A=null,y=null,w=new Rt(0,0,0),L=0,I=!1,U=null,B=null,W=null,D=null,V=null,Z.set(0,0,n.canvas.width,n.canvas.height),yt.set(0,0,n.canvas.width,n.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:xt,disable:Gt,bindFramebuffer:Me,drawBuffers:Nt,useProgram:ie,setBlending:Ge,setMaterial:Ae,setFlipSided:rn,setCullFace:_e,setLineWidth:Gn,setPolygonOffset:Ue,setScissorTest:_n,activeTexture:vn,bindTexture:bn,unbindTexture:O,compressedTexImage2D:Sn,compressedTexImage3D:me,texImage2D:_,texImage3D:k,pixelStorei:j,getParameter:et,updateUBOMapping:Y,uniformBlockBinding:K,texStorage2D:Ft,texStorage3D:E,texSubImage2D:ge,texSubImage3D:ft,compressedTexSubImage2D:Ce,compressedTexSubImage3D:Lt,scissor:rt,viewport:ht,reset:at}}function Vw(n,t,e,i,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new dt,h=new WeakMap,u=new Set,d,f=new WeakMap,p=new Set,x=new FinalizationRegistry(E=>p.delete(E)),m=!1;try{m=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(E,_){return m?new OffscreenCanvas(E,_):Or("canvas")}function v(E,_,k){let et=1,j=Ft(E);if((j.width>k||j.height>k)&&(et=k/Math.max(j.width,j.height)),et<1)if(typeof HTMLImageElement<"u"&&E instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&E instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&E instanceof ImageBitmap||typeof VideoFrame<"u"&&E instanceof VideoFrame){let rt=Math.floor(et*j.width),ht=Math.floor(et*j.height);d===void 0&&(d=g(rt,ht));let Y=_?g(rt,ht):d;return Y.width=rt,Y.height=ht,Y.getContext("2d").drawImage(E,0,0,rt,ht),Ct("WebGLRenderer: Texture has been resized from ("+j.width+"x"+j.height+") to ("+rt+"x"+ht+")."),Y}else return"data"in E&&Ct("WebGLRenderer: Image in DataTexture is too big ("+j.width+"x"+j.height+")."),E;return E}function M(E){return E.generateMipmaps}function S(E){n.generateMipmap(E)}function T(E){return E.isWebGLCubeRenderTarget?n.TEXTURE_CUBE_MAP:E.isWebGL3DRenderTarget?n.TEXTURE_3D:E.isWebGLArrayRenderTarget||E.isCompressedArrayTexture?n.TEXTURE_2D_ARRAY:n.TEXTURE_2D}function A(E,_,k,et,j,rt=!1){if(E!==null){if(n[E]!==void 0)return n[E];Ct("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+E+"'")}let ht;et&&(ht=t.get("EXT_texture_norm16"),ht||Ct("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let Y=_;if(_===n.RED&&(k===n.FLOAT&&(Y=n.R32F),k===n.HALF_FLOAT&&(Y=n.R16F),k===n.UNSIGNED_BYTE&&(Y=n.R8),k===n.UNSIGNED_SHORT&&ht&&(Y=ht.R16_EXT),k===n.SHORT&&ht&&(Y=ht.R16_SNORM_EXT)),_===n.RED_INTEGER&&(k===n.UNSIGNED_BYTE&&(Y=n.R8UI),k===n.UNSIGNED_SHORT&&(Y=n.R16UI),k===n.UNSIGNED_INT&&(Y=n.R32UI),k===n.BYTE&&(Y=n.R8I),k===n.SHORT&&(Y=n.R16I),k===n.INT&&(Y=n.R32I)),_===n.RG&&(k===n.FLOAT&&(Y=n.RG32F),k===n.HALF_FLOAT&&(Y=n.RG16F),k===n.UNSIGNED_BYTE&&(Y=n.RG8),k===n.UNSIGNED_SHORT&&ht&&(Y=ht.RG16_EXT),k===n.SHORT&&ht&&(Y=ht.RG16_SNORM_EXT)),_===n.RG_INTEGER&&(k===n.UNSIGNED_BYTE&&(Y=n.RG8UI),k===n.UNSIGNED_SHORT&&(Y=n.RG16UI),k===n.UNSIGNED_INT&&(Y=n.RG32UI),k===n.BYTE&&(Y=n.RG8I),k===n.SHORT&&(Y=n.RG16I),k===n.INT&&(Y=n.RG32I)),_===n.RGB_INTEGER&&(k===n.UNSIGNED_BYTE&&(Y=n.RGB8UI),k===n.UNSIGNED_SHORT&&(Y=n.RGB16UI),k===n.UNSIGNED_INT&&(Y=n.RGB32UI),k===n.BYTE&&(Y=n.RGB8I),k===n.SHORT&&(Y=n.RGB16I),k===n.INT&&(Y=n.RGB32I)),_===n.RGBA_INTEGER&&(k===n.UNSIGNED_BYTE&&(Y=n.RGBA8UI),k===n.UNSIGNED_SHORT&&(Y=n.RGBA16UI),k===n.UNSIGNED_INT&&(Y=n.RGBA32UI),k===n.BYTE&&(Y=n.RGBA8I),k===n.SHORT&&(Y=n.RGBA16I),k===n.INT&&(Y=n.RGBA32I)),_===n.RGB&&(k===n.UNSIGNED_SHORT&&ht&&(Y=ht.RGB16_EXT),k===n.SHORT&&ht&&(Y=ht.RGB16_SNORM_EXT),k===n.UNSIGNED_INT_5_9_9_9_REV&&(Y=n.RGB9_E5),k===n.UNSIGNED_INT_10F_11F_11F_REV&&(Y=n.R11F_G11F_B10F)),_===n.RGBA){let K=rt?Nr:Zt.getTransfer(j);k===n.FLOAT&&(Y=n.RGBA32F),k===n.HALF_FLOAT&&(Y=n.RGBA16F),k===n.UNSIGNED_BYTE&&(Y=K===ne?n.SRGB8_ALPHA8:n.RGBA8),k===n.UNSIGNED_SHORT&&ht&&(Y=ht.RGBA16_EXT),k===n.SHORT&&ht&&(Y=ht.RGBA16_SNORM_EXT),k===n.UNSIGNED_SHORT_4_4_4_4&&(Y=n.RGBA4),k===n.UNSIGNED_SHORT_5_5_5_1&&(Y=n.RGB5_A1)}return(Y===n.R16F||Y===n.R32F||Y===n.RG16F||Y===n.RG32F||Y===n.RGBA16F||Y===n.RGBA32F)&&t.get("EXT_color_buffer_float"),Y}function y(E,_){let k;return E?_===null||_===Un||_===rs?k=n.DEPTH24_STENCIL8:_===yn?k=n.DEPTH32F_STENCIL8:_===Qs&&(k=n.DEPTH24_STENCIL8,Ct("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):_===null||_===Un||_===rs?k=n.DEPTH_COMPONENT24:_===yn?k=n.DEPTH_COMPONENT32F:_===Qs&&(k=n.DEPTH_COMPONENT16),k}function w(E,_){return M(E)===!0||E.isFramebufferTexture&&E.minFilter!==ze&&E.minFilter!==je?Math.log2(Math.max(_.width,_.height))+1:E.mipmaps.length>0?E.mipmaps.length:E.isCompressedTexture&&Array.isArray(E.image)?_.mipmaps.length:1}function L(E){let _=new WeakRef(E);i.get(E).__ref=_,p.add(_),x.register(E,_,_)}function I(E){let _=i.get(E).__ref;_!==void 0&&(p.delete(_),x.unregister(_))}function U(E){W(E.target)}function B(E){D(E.target)}function W(E){E.removeEventListener("dispose",U),I(E),q(E),E.isVideoTexture&&h.delete(E),E.isHTMLTexture&&u.delete(E)}function D(E){E.removeEventListener("dispose",B),I(E),nt(E)}function V(){for(let E of p){let _=E.deref();_!==void 0&&(_.isRenderTarget===!0?D(_):W(_))}p.clear(),u.clear()}function q(E){let _=i.get(E);if(_.__webglInit===void 0)return;let k=E.source,et=f.get(k);if(et){let j=et[_.__cacheKey];j.usedTimes--,j.usedTimes===0&&G(E),Object.keys(et).length===0&&f.delete(k)}i.remove(E)}function G(E){let _=i.get(E);n.deleteTexture(_.__webglTexture);let k=E.source,et=f.get(k);delete et[_.__cacheKey],o.memory.textures--}function nt(E){let _=i.get(E);_.__depthDisposeCallback&&_.__depthDisposeCallback();let k=E.depthTexture;if(k&&k.renderTarget===E&&W(k),E.isWebGLCubeRenderTarget)for(let j=0;j<6;j++){if(Array.isArray(_.__webglFramebuffer[j]))for(let rt=0;rt<_.__webglFramebuffer[j].length;rt++)n.deleteFramebuffer(_.__webglFramebuffer[j][rt]);else n.deleteFramebuffer(_.__webglFramebuffer[j]);_.__webglDepthbuffer&&n.deleteRenderbuffer(_.__webglDepthbuffer[j])}else{if(Array.isArray(_.__webglFramebuffer))for(let j=0;j<_.__webglFramebuffer.length;j++)n.deleteFramebuffer(_.__webglFramebuffer[j]);else n.deleteFramebuffer(_.__webglFramebuffer);if(_.__webglDepthbuffer&&n.deleteRenderbuffer(_.__webglDepthbuffer),_.__webglMultisampledFramebuffer&&n.deleteFramebuffer(_.__webglMultisampledFramebuffer),_.__webglColorRenderbuffer)for(let j=0;j<_.__webglColorRenderbuffer.length;j++)_.__webglColorRenderbuffer[j]&&n.deleteRenderbuffer(_.__webglColorRenderbuffer[j]);_.__webglDepthRenderbuffer&&n.deleteRenderbuffer(_.__webglDepthRenderbuffer)}let et=E.textures;for(let j=0,rt=et.length;j<rt;j++){let ht=i.get(et[j]);ht.__webglTexture&&(n.deleteTexture(ht.__webglTexture),o.memory.textures--),i.remove(et[j])}i.remove(E)}let $=0;function Q(){$=0}function tt(){return $}function Et(E){$=E}function zt(){let E=$;return E>=s.maxTextures&&Ct("WebGLTextures: Trying to use "+(E+1)+" texture units while this GPU supports only "+s.maxTextures),$+=1,E}function Z(E){let _=[];return _.push(E.wrapS),_.push(E.wrapT),_.push(E.wrapR||0),_.push(E.magFilter),_.push(E.minFilter),_.push(E.anisotropy),_.push(E.internalFormat),_.push(E.format),_.push(E.type),_.push(E.generateMipmaps),_.push(E.mipmapsAutoUpdate),_.push(E.premultiplyAlpha),_.push(E.flipY),_.push(E.unpackAlignment),_.push(E.colorSpace),_.join()}function yt(E,_){let k=i.get(E);if(E.isVideoTexture&&Ce(E),E.isRenderTargetTexture===!1&&E.isExternalTexture!==!0&&E.version>0&&k.__version!==E.version){let et=E.image;if(et===null)Ct("WebGLRenderer: Texture marked for update but no image data found.");else if(et.complete===!1)Ct("WebGLRenderer: Texture marked for update but image is incomplete");else{Ae(k,E,_);return}}else E.isExternalTexture&&(k.__webglTexture=E.sourceTexture?E.sourceTexture:null);e.bindTexture(n.TEXTURE_2D,k.__webglTexture,n.TEXTURE0+_)}function St(E,_){let k=i.get(E);if(E.isRenderTargetTexture===!1&&E.version>0&&k.__version!==E.version){Ae(k,E,_);return}else E.isExternalTexture&&(k.__webglTexture=E.sourceTexture?E.sourceTexture:null);e.bindTexture(n.TEXTURE_2D_ARRAY,k.__webglTexture,n.TEXTURE0+_)}function It(E,_){let k=i.get(E);if(E.isRenderTargetTexture===!1&&E.version>0&&k.__version!==E.version){Ae(k,E,_);return}e.bindTexture(n.TEXTURE_3D,k.__webglTexture,n.TEXTURE0+_)}function xt(E,_){let k=i.get(E);if(E.version>0&&k.__version!==E.version){rn(k,E,_);return}e.bindTexture(n.TEXTURE_CUBE_MAP,k.__webglTexture,n.TEXTURE0+_)}let Gt={[za]:n.REPEAT,[Wn]:n.CLAMP_TO_EDGE,[Ha]:n.MIRRORED_REPEAT},Me={[ze]:n.NEAREST,[$p]:n.NEAREST_MIPMAP_NEAREST,[go]:n.NEAREST_MIPMAP_LINEAR,[je]:n.LINEAR,[bl]:n.LINEAR_MIPMAP_NEAREST,[pi]:n.LINEAR_MIPMAP_LINEAR},Nt={[Zp]:n.NEVER,[Xu]:n.ALWAYS,[Jp]:n.LESS,[Vu]:n.LEQUAL,[jp]:n.EQUAL,[Wu]:n.GEQUAL,[Qp]:n.GREATER,[tm]:n.NOTEQUAL};function ie(E,_){if(_.type===yn&&t.has("OES_texture_float_linear")===!1&&(_.magFilter===je||_.magFilter===bl||_.magFilter===go||_.magFilter===pi||_.minFilter===je||_.minFilter===bl||_.minFilter===go||_.minFilter===pi)&&Ct("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),n.texParameteri(E,n.TEXTURE_WRAP_S,Gt[_.wrapS]),n.texParameteri(E,n.TEXTURE_WRAP_T,Gt[_.wrapT]),(E===n.TEXTURE_3D||E===n.TEXTURE_2D_ARRAY)&&n.texParameteri(E,n.TEXTURE_WRAP_R,Gt[_.wrapR]),n.texParameteri(E,n.TEXTURE_MAG_FILTER,Me[_.magFilter]),n.texParameteri(E,n.TEXTURE_MIN_FILTER,Me[_.minFilter]),_.compareFunction&&(n.texParameteri(E,n.TEXTURE_COMPARE_MODE,n.COMPARE_REF_TO_TEXTURE),n.texParameteri(E,n.TEXTURE_COMPARE_FUNC,Nt[_.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(_.magFilter===ze||_.minFilter!==go&&_.minFilter!==pi||_.type===yn&&t.has("OES_texture_float_linear")===!1)return;if(_.anisotropy>1||i.get(_).__currentAnisotropy){let k=t.get("EXT_texture_filter_anisotropic");n.texParameterf(E,k.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(_.anisotropy,s.getMaxAnisotropy())),i.get(_).__currentAnisotropy=_.anisotropy}}}function ce(E,_){let k=!1;E.__webglInit===void 0&&(E.__webglInit=!0,_.addEventListener("dispose",U),L(_));let et=_.source,j=f.get(et);j===void 0&&(j={},f.set(et,j));let rt=Z(_);if(rt!==E.__cacheKey){j[rt]===void 0&&(j[rt]={texture:n.createTexture(),usedTimes:0},o.memory.textures++,k=!0),j[rt].usedTimes++;let ht=j[E.__cacheKey];ht!==void 0&&(j[E.__cacheKey].usedTimes--,ht.usedTimes===0&&G(_)),E.__cacheKey=rt,E.__webglTexture=j[rt].texture}return k}function qt(E,_,k){return Math.floor(Math.floor(E/k)/_)}function Ge(E,_,k,et){let rt=E.updateRanges;if(rt.length===0)e.texSubImage2D(n.TEXTURE_2D,0,0,0,_.width,_.height,k,et,_.data);else{rt.sort((R,J)=>R.start-J.start);let ht=0;for(let R=1;R<rt.length;R++){let J=rt[ht],X=rt[R],lt=J.start+J.count,st=qt(X.start,_.width,4),ot=qt(J.start,_.width,4);X.start<=lt+1&&st===ot&&qt(X.start+X.count-1,_.width,4)===st?J.count=Math.max(J.count,X.start+X.count-J.start):(++ht,rt[ht]=X)}rt.length=ht+1;let Y=e.getParameter(n.UNPACK_ROW_LENGTH),K=e.getParameter(n.UNPACK_SKIP_PIXELS),at=e.getParameter(n.UNPACK_SKIP_ROWS);e.pixelStorei(n.UNPACK_ROW_LENGTH,_.width);for(let R=0,J=rt.length;R<J;R++){let X=rt[R],lt=Math.floor(X.start/4),st=Math.ceil(X.count/4),ot=lt%_.width,At=Math.floor(lt/_.width),Wt=st,it=1;e.pixelStorei(n.UNPACK_SKIP_PIXELS,ot),e.pixelStorei(n.UNPACK_SKIP_ROWS,At),e.texSubImage2D(n.TEXTURE_2D,0,ot,At,Wt,it,k,et,_.data)}E.clearUpdateRanges(),e.pixelStorei(n.UNPACK_ROW_LENGTH,Y),e.pixelStorei(n.UNPACK_SKIP_PIXELS,K),e.pixelStorei(n.UNPACK_SKIP_ROWS,at)}}function Ae(E,_,k){let et=n.TEXTURE_2D;(_.isDataArrayTexture||_.isCompressedArrayTexture)&&(et=n.TEXTURE_2D_ARRAY),_.isData3DTexture&&(et=n.TEXTURE_3D);let j=ce(E,_),rt=_.source;e.bindTexture(et,E.__webglTexture,n.TEXTURE0+k);let ht=i.get(rt);if(rt.version!==ht.__version||j===!0){if(e.activeTexture(n.TEXTURE0+k),(typeof ImageBitmap<"u"&&_.image instanceof ImageBitmap)===!1){let it=Zt.getPrimaries(Zt.workingColorSpace),Pt=_.colorSpace===gi?null:Zt.getPrimaries(_.colorSpace),Vt=_.colorSpace===gi||it===Pt?n.NONE:n.BROWSER_DEFAULT_WEBGL;e.pixelStorei(n.UNPACK_FLIP_Y_WEBGL,_.flipY),e.pixelStorei(n.UNPACK_PREMULTIPLY_ALPHA_WEBGL,_.premultiplyAlpha),e.pixelStorei(n.UNPACK_COLORSPACE_CONVERSION_WEBGL,Vt)}e.pixelStorei(n.UNPACK_ALIGNMENT,_.unpackAlignment);let K=v(_.image,!1,s.maxTextureSize);K=Lt(_,K);let at=r.convert(_.format,_.colorSpace),R=r.convert(_.type),J=A(_.internalFormat,at,R,_.normalized,_.colorSpace,_.isVideoTexture);ie(et,_);let X,lt=_.mipmaps,st=_.isVideoTexture!==!0,ot=ht.__version===void 0||j===!0,At=rt.dataReady,Wt=w(_,K);if(_.isDepthTexture)J=y(_.format===mi,_.type),ot&&(st?e.texStorage2D(n.TEXTURE_2D,1,J,K.width,K.height):e.texImage2D(n.TEXTURE_2D,0,J,K.width,K.height,0,at,R,null));else if(_.isDataTexture)if(lt.length>0){st&&ot&&e.texStorage2D(n.TEXTURE_2D,Wt,J,lt[0].width,lt[0].height);for(let it=0,Pt=lt.length;it<Pt;it++)X=lt[it],st?At&&e.texSubImage2D(n.TEXTURE_2D,it,0,0,X.width,X.height,at,R,X.data):e.texImage2D(n.TEXTURE_2D,it,J,X.width,X.height,0,at,R,X.data);_.generateMipmaps=!1}else st?(ot&&e.texStorage2D(n.TEXTURE_2D,Wt,J,K.width,K.height),At&&Ge(_,K,at,R)):e.texImage2D(n.TEXTURE_2D,0,J,K.width,K.height,0,at,R,K.data);else if(_.isCompressedTexture)if(_.isCompressedArrayTexture){st&&ot&&e.texStorage3D(n.TEXTURE_2D_ARRAY,Wt,J,lt[0].width,lt[0].height,K.depth);for(let it=0,Pt=lt.length;it<Pt;it++)if(X=lt[it],_.format!==An)if(at!==null)if(st){if(At)if(_.layerUpdates.size>0){let Vt=ed(X.width,X.height,_.format,_.type);for(let mt of _.layerUpdates){let se=X.data.subarray(mt*Vt/X.data.BYTES_PER_ELEMENT,(mt+1)*Vt/X.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(n.TEXTURE_2D_ARRAY,it,0,0,mt,X.width,X.height,1,at,se)}}else e.compressedTexSubImage3D(n.TEXTURE_2D_ARRAY,it,0,0,0,X.width,X.height,K.depth,at,X.data)}else e.compressedTexImage3D(n.TEXTURE_2D_ARRAY,it,J,X.width,X.height,K.depth,0,X.data,0,0);else Ct("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else st?At&&e.texSubImage3D(n.TEXTURE_2D_ARRAY,it,0,0,0,X.width,X.height,K.depth,at,R,X.data):e.texImage3D(n.TEXTURE_2D_ARRAY,it,J,X.width,X.height,K.depth,0,at,R,X.data);_.layerUpdates.size>0&&_.clearLayerUpdates()}else{st&&ot&&e.texStorage2D(n.TEXTURE_2D,Wt,J,lt[0].width,lt[0].height);for(let it=0,Pt=lt.length;it<Pt;it++)X=lt[it],_.format!==An?at!==null?st?At&&e.compressedTexSubImage2D(n.TEXTURE_2D,it,0,0,X.width,X.height,at,X.data):e.compressedTexImage2D(n.TEXTURE_2D,it,J,X.width,X.height,0,X.data):Ct("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):st?At&&e.texSubImage2D(n.TEXTURE_2D,it,0,0,X.width,X.height,at,R,X.data):e.texImage2D(n.TEXTURE_2D,it,J,X.width,X.height,0,at,R,X.data)}else if(_.isDataArrayTexture)if(st){if(ot&&e.texStorage3D(n.TEXTURE_2D_ARRAY,Wt,J,K.width,K.height,K.depth),At)if(_.layerUpdates.size>0){let it=ed(K.width,K.height,_.format,_.type);for(let Pt of _.layerUpdates){let Vt=K.data.subarray(Pt*it/K.data.BYTES_PER_ELEMENT,(Pt+1)*it/K.data.BYTES_PER_ELEMENT);e.texSubImage3D(n.TEXTURE_2D_ARRAY,0,0,0,Pt,K.width,K.height,1,at,R,Vt)}_.clearLayerUpdates()}else e.texSubImage3D(n.TEXTURE_2D_ARRAY,0,0,0,0,K.width,K.height,K.depth,at,R,K.data)}else e.texImage3D(n.TEXTURE_2D_ARRAY,0,J,K.width,K.height,K.depth,0,at,R,K.data);else if(_.isData3DTexture)st?(ot&&e.texStorage3D(n.TEXTURE_3D,Wt,J,K.width,K.height,K.depth),At&&e.texSubImage3D(n.TEXTURE_3D,0,0,0,0,K.width,K.height,K.depth,at,R,K.data)):e.texImage3D(n.TEXTURE_3D,0,J,K.width,K.height,K.depth,0,at,R,K.data);else if(_.isFramebufferTexture){if(ot)if(st)e.texStorage2D(n.TEXTURE_2D,Wt,J,K.width,K.height);else{let it=K.width,Pt=K.height;for(let Vt=0;Vt<Wt;Vt++)e.texImage2D(n.TEXTURE_2D,Vt,J,it,Pt,0,at,R,null),it>>=1,Pt>>=1}}else if(_.isHTMLTexture){if("texElementImage2D"in n){let it=n.canvas;if(it.hasAttribute("layoutsubtree")||it.setAttribute("layoutsubtree","true"),K.parentNode!==it){it.appendChild(K),u.add(_),it.onpaint=Pt=>{let Vt=Pt.changedElements;for(let mt of u)Vt.includes(mt.image)&&(mt.needsUpdate=!0)},it.requestPaint();return}if(n.texElementImage2D.length===3)n.texElementImage2D(n.TEXTURE_2D,n.RGBA8,K);else{let Vt=n.RGBA,mt=n.RGBA,se=n.UNSIGNED_BYTE;n.texElementImage2D(n.TEXTURE_2D,0,Vt,mt,se,K)}n.texParameteri(n.TEXTURE_2D,n.TEXTURE_MIN_FILTER,n.LINEAR),n.texParameteri(n.TEXTURE_2D,n.TEXTURE_WRAP_S,n.CLAMP_TO_EDGE),n.texParameteri(n.TEXTURE_2D,n.TEXTURE_WRAP_T,n.CLAMP_TO_EDGE)}}else if(lt.length>0){if(st&&ot){let it=Ft(lt[0]);e.texStorage2D(n.TEXTURE_2D,Wt,J,it.width,it.height)}for(let it=0,Pt=lt.length;it<Pt;it++)X=lt[it],st?At&&e.texSubImage2D(n.TEXTURE_2D,it,0,0,at,R,X):e.texImage2D(n.TEXTURE_2D,it,J,at,R,X);_.generateMipmaps=!1}else if(st){if(ot){let it=Ft(K);e.texStorage2D(n.TEXTURE_2D,Wt,J,it.width,it.height)}At&&e.texSubImage2D(n.TEXTURE_2D,0,0,0,at,R,K)}else e.texImage2D(n.TEXTURE_2D,0,J,at,R,K);M(_)&&_.mipmapsAutoUpdate===!0&&S(et),ht.__version=rt.version,_.onUpdate&&_.onUpdate(_)}E.__version=_.version}function rn(E,_,k){if(_.image.length!==6)return;let et=ce(E,_),j=_.source;e.bindTexture(n.TEXTURE_CUBE_MAP,E.__webglTexture,n.TEXTURE0+k);let rt=i.get(j);if(j.version!==rt.__version||et===!0){e.activeTexture(n.TEXTURE0+k);let ht=Zt.getPrimaries(Zt.workingColorSpace),Y=_.colorSpace===gi?null:Zt.getPrimaries(_.colorSpace),K=_.colorSpace===gi||ht===Y?n.NONE:n.BROWSER_DEFAULT_WEBGL;e.pixelStorei(n.UNPACK_FLIP_Y_WEBGL,_.flipY),e.pixelStorei(n.UNPACK_PREMULTIPLY_ALPHA_WEBGL,_.premultiplyAlpha),e.pixelStorei(n.UNPACK_ALIGNMENT,_.unpackAlignment),e.pixelStorei(n.UNPACK_COLORSPACE_CONVERSION_WEBGL,K);let at=_.isCompressedTexture||_.image[0].isCompressedTexture,R=_.image[0]&&_.image[0].isDataTexture,J=[];for(let mt=0;mt<6;mt++)!at&&!R?J[mt]=v(_.image[mt],!0,s.maxCubemapSize):J[mt]=R?_.image[mt].image:_.image[mt],J[mt]=Lt(_,J[mt]);let X=J[0],lt=r.convert(_.format,_.colorSpace),st=r.convert(_.type),ot=A(_.internalFormat,lt,st,_.normalized,_.colorSpace),At=_.isVideoTexture!==!0,Wt=rt.__version===void 0||et===!0,it=j.dataReady,Pt=w(_,X);ie(n.TEXTURE_CUBE_MAP,_);let Vt;if(_.isDepthTexture){if(ot=y(_.format===mi,_.type),Wt)if(At)e.texStorage2D(n.TEXTURE_CUBE_MAP,1,ot,X.width,X.height);else for(let mt=0;mt<6;mt++)e.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,0,ot,X.width,X.height,0,lt,st,null)}else if(at){At&&Wt&&e.texStorage2D(n.TEXTURE_CUBE_MAP,Pt,ot,X.width,X.height);for(let mt=0;mt<6;mt++){Vt=J[mt].mipmaps;for(let se=0;se<Vt.length;se++){let Fe=Vt[se];_.format!==An?lt!==null?At?it&&e.compressedTexSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se,0,0,Fe.width,Fe.height,lt,Fe.data):e.compressedTexImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se,ot,Fe.width,Fe.height,0,Fe.data):Ct("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):At?it&&e.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se,0,0,Fe.width,Fe.height,lt,st,Fe.data):e.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se,ot,Fe.width,Fe.height,0,lt,st,Fe.data)}}}else{if(Vt=_.mipmaps,At&&Wt){Vt.length>0&&Pt++;let mt=Ft(J[0]);e.texStorage2D(n.TEXTURE_CUBE_MAP,Pt,ot,mt.width,mt.height)}for(let mt=0;mt<6;mt++)if(R){At?it&&e.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,0,0,0,J[mt].width,J[mt].height,lt,st,J[mt].data):e.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,0,ot,J[mt].width,J[mt].height,0,lt,st,J[mt].data);for(let se=0;se<Vt.length;se++){let Si=Vt[se].image[mt].image;At?it&&e.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se+1,0,0,Si.width,Si.height,lt,st,Si.data):e.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se+1,ot,Si.width,Si.height,0,lt,st,Si.data)}}else{At?it&&e.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,0,0,0,lt,st,J[mt]):e.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,0,ot,lt,st,J[mt]);for(let se=0;se<Vt.length;se++){let Fe=Vt[se];At?it&&e.texSubImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se+1,0,0,lt,st,Fe.image[mt]):e.texImage2D(n.TEXTURE_CUBE_MAP_POSITIVE_X+mt,se+1,ot,lt,st,Fe.image[mt])}}}M(_)&&_.mipmapsAutoUpdate===!0&&S(n.TEXTURE_CUBE_MAP),rt.__version=j.version,_.onUpdate&&_.onUpdate(_)}E.__version=_.version}function _e(E,_,k,et,j,rt){let ht=r.convert(k.format,k.colorSpace),Y=r.convert(k.type),K=A(k.internalFormat,ht,Y,k.normalized,k.colorSpace),at=i.get(_),R=i.get(k);if(R.__renderTarget=_,!at.__hasExternalTextures){let J=Math.max(1,_.width>>rt),X=Math.max(1,_.height>>rt);j===n.TEXTURE_3D||j===n.TEXTURE_2D_ARRAY?e.texImage3D(j,rt,K,J,X,_.depth,0,ht,Y,null):e.texImage2D(j,rt,K,J,X,0,ht,Y,null)}e.bindFramebuffer(n.FRAMEBUFFER,E),ft(_)?a.framebufferTexture2DMultisampleEXT(n.FRAMEBUFFER,et,j,R.__webglTexture,0,ge(_)):(j===n.TEXTURE_2D||j>=n.TEXTURE_CUBE_MAP_POSITIVE_X&&j<=n.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&n.framebufferTexture2D(n.FRAMEBUFFER,et,j,R.__webglTexture,rt),e.bindFramebuffer(n.FRAMEBUFFER,null)}function Gn(E,_,k){if(n.bindRenderbuffer(n.RENDERBUFFER,E),_.depthBuffer){let et=_.depthTexture,j=et&&et.isDepthTexture?et.type:null,rt=y(_.stencilBuffer,j),ht=_.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT;ft(_)?a.renderbufferStorageMultisampleEXT(n.RENDERBUFFER,ge(_),rt,_.width,_.height):k?n.renderbufferStorageMultisample(n.RENDERBUFFER,ge(_),rt,_.width,_.height):n.renderbufferStorage(n.RENDERBUFFER,rt,_.width,_.height),n.framebufferRenderbuffer(n.FRAMEBUFFER,ht,n.RENDERBUFFER,E)}else{let et=_.textures;for(let j=0;j<et.length;j++){let rt=et[j],ht=r.convert(rt.format,rt.colorSpace),Y=r.convert(rt.type),K=A(rt.internalFormat,ht,Y,rt.normalized,rt.colorSpace);ft(_)?a.renderbufferStorageMultisampleEXT(n.RENDERBUFFER,ge(_),K,_.width,_.height):k?n.renderbufferStorageMultisample(n.RENDERBUFFER,ge(_),K,_.width,_.height):n.renderbufferStorage(n.RENDERBUFFER,K,_.width,_.height)}}n.bindRenderbuffer(n.RENDERBUFFER,null)}function Ue(E,_,k){let et=_.isWebGLCubeRenderTarget===!0;if(e.bindFramebuffer(n.FRAMEBUFFER,E),!(_.depthTexture&&_.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let j=i.get(_.depthTexture);j.__renderTarget=_;let rt=et?_.depthTexture.image[0]:_.depthTexture.image;(!j.__webglTexture||rt.width!==_.width||rt.height!==_.height)&&(rt.width=_.width,rt.height=_.height,_.depthTexture.needsUpdate=!0),et?xt(_.depthTexture,0):yt(_.depthTexture,0);let ht=j.__webglTexture,Y=ge(_),K=et?n.TEXTURE_CUBE_MAP_POSITIVE_X+k:n.TEXTURE_2D,at=_.depthTexture.format===mi?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT;if(_.depthTexture.format===ci)ft(_)?a.framebufferTexture2DMultisampleEXT(n.FRAMEBUFFER,at,K,ht,0,Y):n.framebufferTexture2D(n.FRAMEBUFFER,at,K,ht,0);else if(_.depthTexture.format===mi)ft(_)?a.framebufferTexture2DMultisampleEXT(n.FRAMEBUFFER,at,K,ht,0,Y):n.framebufferTexture2D(n.FRAMEBUFFER,at,K,ht,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function _n(E){let _=i.get(E),k=E.isWebGLCubeRenderTarget===!0;if(_.__boundDepthTexture!==E.depthTexture){let et=E.depthTexture;if(_.__depthDisposeCallback&&_.__depthDisposeCallback(),et){let j=()=>{delete _.__boundDepthTexture,delete _.__depthDisposeCallback,et.removeEventListener("dispose",j)};et.addEventListener("dispose",j),_.__depthDisposeCallback=j}_.__boundDepthTexture=et}if(E.depthTexture&&!_.__autoAllocateDepthBuffer)if(k)for(let et=0;et<6;et++)Ue(_.__webglFramebuffer[et],E,et);else E.texture.mipmaps.length>0?Ue(_.__webglFramebuffer[0],E,0):Ue(_.__webglFramebuffer,E,0);else if(k){_.__webglDepthbuffer=[];for(let et=0;et<6;et++)if(e.bindFramebuffer(n.FRAMEBUFFER,_.__webglFramebuffer[et]),_.__webglDepthbuffer[et]===void 0)_.__webglDepthbuffer[et]=n.createRenderbuffer(),Gn(_.__webglDepthbuffer[et],E,!1);else{let j=E.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT,rt=_.__webglDepthbuffer[et];n.bindRenderbuffer(n.RENDERBUFFER,rt),n.framebufferRenderbuffer(n.FRAMEBUFFER,j,n.RENDERBUFFER,rt)}}else if(E.texture.mipmaps.length>0?e.bindFramebuffer(n.FRAMEBUFFER,_.__webglFramebuffer[0]):e.bindFramebuffer(n.FRAMEBUFFER,_.__webglFramebuffer),_.__webglDepthbuffer===void 0)_.__webglDepthbuffer=n.createRenderbuffer(),Gn(_.__webglDepthbuffer,E,!1);else{let j=E.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT,rt=_.__webglDepthbuffer;n.bindRenderbuffer(n.RENDERBUFFER,rt),n.framebufferRenderbuffer(n.FRAMEBUFFER,j,n.RENDERBUFFER,rt)}e.bindFramebuffer(n.FRAMEBUFFER,null)}function vn(E,_,k){let et=i.get(E);_!==void 0&&_e(et.__webglFramebuffer,E,E.texture,n.COLOR_ATTACHMENT0,n.TEXTURE_2D,0),k!==void 0&&_n(E)}function bn(E){let _=E.texture,k=i.get(E),et=i.get(_);E.addEventListener("dispose",B),L(E);let j=E.textures,rt=E.isWebGLCubeRenderTarget===!0,ht=j.length>1;if(ht||(et.__webglTexture===void 0&&(et.__webglTexture=n.createTexture()),et.__version=_.version,o.memory.textures++),rt){k.__webglFramebuffer=[];for(let Y=0;Y<6;Y++)if(_.mipmaps.length>0){k.__webglFramebuffer[Y]=[];for(let K=0;K<_.mipmaps.length;K++)k.__webglFramebuffer[Y][K]=n.createFramebuffer()}else k.__webglFramebuffer[Y]=n.createFramebuffer()}else{if(_.mipmaps.length>0){k.__webglFramebuffer=[];for(let Y=0;Y<_.mipmaps.length;Y++)k.__webglFramebuffer[Y]=n.createFramebuffer()}else k.__webglFramebuffer=n.createFramebuffer();if(ht)for(let Y=0,K=j.length;Y<K;Y++){let at=i.get(j[Y]);at.__webglTexture===void 0&&(at.__webglTexture=n.createTexture(),o.memory.textures++)}if(E.samples>0&&ft(E)===!1){k.__webglMultisampledFramebuffer=n.createFramebuffer(),k.__webglColorRenderbuffer=[],e.bindFramebuffer(n.FRAMEBUFFER,k.__webglMultisampledFramebuffer);for(let Y=0;Y<j.length;Y++){let K=j[Y];k.__webglColorRenderbuffer[Y]=n.createRenderbuffer(),n.bindRenderbuffer(n.RENDERBUFFER,k.__webglColorRenderbuffer[Y]);let at=r.convert(K.format,K.colorSpace),R=r.convert(K.type),J=A(K.internalFormat,at,R,K.normalized,K.colorSpace,E.isXRRenderTarget===!0),X=ge(E);n.renderbufferStorageMultisample(n.RENDERBUFFER,X,J,E.width,E.height),n.framebufferRenderbuffer(n.FRAMEBUFFER,n.COLOR_ATTACHMENT0+Y,n.RENDERBUFFER,k.__webglColorRenderbuffer[Y])}n.bindRenderbuffer(n.RENDERBUFFER,null),E.depthBuffer&&(k.__webglDepthRenderbuffer=n.createRenderbuffer(),Gn(k.__webglDepthRenderbuffer,E,!0)),e.bindFramebuffer(n.FRAMEBUFFER,null)}}if(rt){e.bindTexture(n.TEXTURE_CUBE_MAP,et.__webglTexture),ie(n.TEXTURE_CUBE_MAP,_);for(let Y=0;Y<6;Y++)if(_.mipmaps.length>0)for(let K=0;K<_.mipmaps.length;K++)_e(k.__webglFramebuffer[Y][K],E,_,n.COLOR_ATTACHMENT0,n.TEXTURE_CUBE_MAP_POSITIVE_X+Y,K);else _e(k.__webglFramebuffer[Y],E,_,n.COLOR_ATTACHMENT0,n.TEXTURE_CUBE_MAP_POSITIVE_X+Y,0);M(_)?S(n.TEXTURE_CUBE_MAP):_.mipmaps.length>0&&n.texParameteri(n.TEXTURE_CUBE_MAP,n.TEXTURE_MAX_LEVEL,_.mipmaps.length-1),e.unbindTexture()}else if(ht){for(let Y=0,K=j.length;Y<K;Y++){let at=j[Y],R=i.get(at),J=n.TEXTURE_2D;(E.isWebGL3DRenderTarget||E.isWebGLArrayRenderTarget)&&(J=E.isWebGL3DRenderTarget?n.TEXTURE_3D:n.TEXTURE_2D_ARRAY),e.bindTexture(J,R.__webglTexture),ie(J,at),_e(k.__webglFramebuffer,E,at,n.COLOR_ATTACHMENT0+Y,J,0),M(at)&&S(J)}e.unbindTexture()}else{let Y=n.TEXTURE_2D;if((E.isWebGL3DRenderTarget||E.isWebGLArrayRenderTarget)&&(Y=E.isWebGL3DRenderTarget?n.TEXTURE_3D:n.TEXTURE_2D_ARRAY),e.bindTexture(Y,et.__webglTexture),ie(Y,_),_.mipmaps.length>0)for(let K=0;K<_.mipmaps.length;K++)_e(k.__webglFramebuffer[K],E,_,n.COLOR_ATTACHMENT0,Y,K);else _e(k.__webglFramebuffer,E,_,n.COLOR_ATTACHMENT0,Y,0);M(_)?S(Y):_.mipmaps.length>0&&n.texParameteri(Y,n.TEXTURE_MAX_LEVEL,_.mipmaps.length-1),e.unbindTexture()}E.depthBuffer&&_n(E)}function O(E){let _=E.textures;for(let k=0,et=_.length;k<et;k++){let j=_[k];if(M(j)&&j.mipmapsAutoUpdate===!0){let rt=T(E),ht=i.get(j).__webglTexture;e.bindTexture(rt,ht),S(rt),e.unbindTexture()}}}let Sn=[];function me(E){if(E.samples>0){if(ft(E)===!1){let _=E.textures,k=E.width,et=E.height,j=n.COLOR_BUFFER_BIT,rt=E.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT,ht=i.get(E),Y=_.length>1;if(Y)for(let at=0;at<_.length;at++)e.bindFramebuffer(n.FRAMEBUFFER,ht.__webglMultisampledFramebuffer),n.framebufferRenderbuffer(n.FRAMEBUFFER,n.COLOR_ATTACHMENT0+at,n.RENDERBUFFER,null),e.bindFramebuffer(n.FRAMEBUFFER,ht.__webglFramebuffer),n.framebufferTexture2D(n.DRAW_FRAMEBUFFER,n.COLOR_ATTACHMENT0+at,n.TEXTURE_2D,null,0);e.bindFramebuffer(n.READ_FRAMEBUFFER,ht.__webglMultisampledFramebuffer),E.texture.mipmaps.length>0?e.bindFramebuffer(n.DRAW_FRAMEBUFFER,ht.__webglFramebuffer[0]):e.bindFramebuffer(n.DRAW_FRAMEBUFFER,ht.__webglFramebuffer);for(let at=0;at<_.length;at++){if(E.resolveDepthBuffer&&(E.depthBuffer&&(j|=n.DEPTH_BUFFER_BIT),E.stencilBuffer&&E.resolveStencilBuffer&&(j|=n.STENCIL_BUFFER_BIT)),Y){n.framebufferRenderbuffer(n.READ_FRAMEBUFFER,n.COLOR_ATTACHMENT0,n.RENDERBUFFER,ht.__webglColorRenderbuffer[at]);let R=i.get(_[at]).__webglTexture;n.framebufferTexture2D(n.DRAW_FRAMEBUFFER,n.COLOR_ATTACHMENT0,n.TEXTURE_2D,R,0)}n.blitFramebuffer(0,0,k,et,0,0,k,et,j,n.NEAREST),l===!0&&(Sn.length=0,Sn.push(n.COLOR_ATTACHMENT0+at),E.depthBuffer&&E.storeMultisampledDepthBuffer===!1&&Sn.push(rt),n.invalidateFramebuffer(n.READ_FRAMEBUFFER,Sn))}if(e.bindFramebuffer(n.READ_FRAMEBUFFER,null),e.bindFramebuffer(n.DRAW_FRAMEBUFFER,null),Y)for(let at=0;at<_.length;at++){e.bindFramebuffer(n.FRAMEBUFFER,ht.__webglMultisampledFramebuffer),n.framebufferRenderbuffer(n.FRAMEBUFFER,n.COLOR_ATTACHMENT0+at,n.RENDERBUFFER,ht.__webglColorRenderbuffer[at]);let R=i.get(_[at]).__webglTexture;e.bindFramebuffer(n.FRAMEBUFFER,ht.__webglFramebuffer),n.framebufferTexture2D(n.DRAW_FRAMEBUFFER,n.COLOR_ATTACHMENT0+at,n.TEXTURE_2D,R,0)}e.bindFramebuffer(n.DRAW_FRAMEBUFFER,ht.__webglMultisampledFramebuffer)}else if(E.depthBuffer&&E.storeMultisampledDepthBuffer===!1&&l){let _=E.stencilBuffer?n.DEPTH_STENCIL_ATTACHMENT:n.DEPTH_ATTACHMENT;n.invalidateFramebuffer(n.DRAW_FRAMEBUFFER,[_])}}}function ge(E){return Math.min(s.maxSamples,E.samples)}function ft(E){let _=i.get(E);return E.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&_.__useRenderToTexture!==!1}function Ce(E){let _=o.render.frame;h.get(E)!==_&&(h.set(E,_),E.update())}function Lt(E,_){let k=E.colorSpace,et=E.format,j=E.type;return E.isCompressedTexture===!0||E.isVideoTexture===!0||k!==Dr&&k!==gi&&(Zt.getTransfer(k)===ne?(et!==An||j!==an)&&Ct("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Ot("WebGLTextures: Unsupported texture color space:",k)),_}function Ft(E){return typeof HTMLImageElement<"u"&&E instanceof HTMLImageElement?(c.width=E.naturalWidth||E.width,c.height=E.naturalHeight||E.height):typeof VideoFrame<"u"&&E instanceof VideoFrame?(c.width=E.displayWidth,c.height=E.displayHeight):(c.width=E.width,c.height=E.height),c}this.allocateTextureUnit=zt,this.resetTextureUnits=Q,this.getTextureUnits=tt,this.setTextureUnits=Et,this.setTexture2D=yt,this.setTexture2DArray=St,this.setTexture3D=It,this.setTextureCube=xt,this.rebindTextures=vn,this.setupRenderTarget=bn,this.updateRenderTargetMipmap=O,this.updateMultisampleRenderTarget=me,this.setupDepthRenderbuffer=_n,this.setupFrameBufferTexture=_e,this.useMultisampledRTT=ft,this.dispose=V}function Ww(n,t){function e(i,s=gi){let r,o=Zt.getTransfer(s);if(i===an)return n.UNSIGNED_BYTE;if(i===Ml)return n.UNSIGNED_SHORT_4_4_4_4;if(i===wl)return n.UNSIGNED_SHORT_5_5_5_1;if(i===Bu)return n.UNSIGNED_INT_5_9_9_9_REV;if(i===zu)return n.UNSIGNED_INT_10F_11F_11F_REV;if(i===Fu)return n.BYTE;if(i===ku)return n.SHORT;if(i===Qs)return n.UNSIGNED_SHORT;if(i===Sl)return n.INT;if(i===Un)return n.UNSIGNED_INT;if(i===yn)return n.FLOAT;if(i===Fn)return n.HALF_FLOAT;if(i===Hu)return n.ALPHA;if(i===Gu)return n.RGB;if(i===An)return n.RGBA;if(i===ci)return n.DEPTH_COMPONENT;if(i===mi)return n.DEPTH_STENCIL;if(i===El)return n.RED;if(i===Tl)return n.RED_INTEGER;if(i===Oi)return n.RG;if(i===Al)return n.RG_INTEGER;if(i===Cl)return n.RGBA_INTEGER;if(i===yo||i===xo||i===_o||i===vo)if(o===ne)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(i===yo)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(i===xo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(i===_o)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(i===vo)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(i===yo)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(i===xo)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(i===_o)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(i===vo)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(i===Pl||i===Rl||i===Il||i===Ll)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(i===Pl)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(i===Rl)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(i===Il)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(i===Ll)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(i===Dl||i===Nl||i===Ol||i===Ul||i===Fl||i===bo||i===kl)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(i===Dl||i===Nl)return o===ne?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(i===Ol)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(i===Ul)return r.COMPRESSED_R11_EAC;if(i===Fl)return r.COMPRESSED_SIGNED_R11_EAC;if(i===bo)return r.COMPRESSED_RG11_EAC;if(i===kl)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(i===Bl||i===zl||i===Hl||i===Gl||i===Vl||i===Wl||i===Xl||i===$l||i===ql||i===Yl||i===Kl||i===Zl||i===Jl||i===jl)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(i===Bl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(i===zl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(i===Hl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(i===Gl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(i===Vl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(i===Wl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(i===Xl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(i===$l)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(i===ql)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(i===Yl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(i===Kl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(i===Zl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(i===Jl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(i===jl)return o===ne?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(i===Ql||i===tc||i===ec)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(i===Ql)return o===ne?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(i===tc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(i===ec)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(i===nc||i===ic||i===So||i===sc)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(i===nc)return r.COMPRESSED_RED_RGTC1_EXT;if(i===ic)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(i===So)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(i===sc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return i===rs?n.UNSIGNED_INT_24_8:n[i]!==void 0?n[i]:null}return{convert:e}}var Xw=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,$w=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,hd=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e){if(this.texture===null){let i=new $r(t.texture);(t.depthNear!==e.depthNear||t.depthFar!==e.depthFar)&&(this.depthNear=t.depthNear,this.depthFar=t.depthFar),this.texture=i}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,i=new Tn({vertexShader:Xw,fragmentShader:$w,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new le(new no(20,20),i)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},ud=class extends Ln{constructor(t,e){super();let i=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,d=null,f=null,p=null,x=typeof XRWebGLBinding<"u",m=new hd,g={},v=e.getContextAttributes(),M=null,S=null,T=[],A=[],y=new dt,w=null,L=null,I=new Je;I.viewport=new re;let U=new Je;U.viewport=new re;let B=[I,U],W=new yl,D=null,V=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(Z){let yt=T[Z];return yt===void 0&&(yt=new Gs,T[Z]=yt),yt.getTargetRaySpace()},this.getControllerGrip=function(Z){let yt=T[Z];return yt===void 0&&(yt=new Gs,T[Z]=yt),yt.getGripSpace()},this.getHand=function(Z){let yt=T[Z];return yt===void 0&&(yt=new Gs,T[Z]=yt),yt.getHandSpace()};function q(Z){let yt=A.indexOf(Z.inputSource);if(yt===-1)return;let St=T[yt];St!==void 0&&(St.update(Z.inputSource,Z.frame,c||o),St.dispatchEvent({type:Z.type,data:Z.inputSource}))}function G(){s.removeEventListener("select",q),s.removeEventListener("selectstart",q),s.removeEventListener("selectend",q),s.removeEventListener("squeeze",q),s.removeEventListener("squeezestart",q),s.removeEventListener("squeezeend",q),s.removeEventListener("end",G),s.removeEventListener("inputsourceschange",nt);for(let Z=0;Z<T.length;Z++){let yt=A[Z];yt!==null&&(A[Z]=null,T[Z].disconnect(yt))}D=null,V=null,m.reset();for(let Z in g)delete g[Z];if(t.setRenderTarget(M),f=null,d=null,u=null,s=null,S=null,zt.stop(),i.isPresenting=!1,t.setPixelRatio(w),t.setSize(y.width,y.height,!1),L!==null){let Z=L.camera;Z.fov=L.fov,Z.zoom=L.zoom,Z.updateProjectionMatrix(),L=null}i.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(Z){r=Z,i.isPresenting===!0&&Ct("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(Z){a=Z,i.isPresenting===!0&&Ct("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(Z){c=Z},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&x&&(u=new XRWebGLBinding(s,e)),u},this.getFrame=function(){return p},this.getSession=function(){return s},this.setSession=async function(Z){if(s=Z,s!==null){if(M=t.getRenderTarget(),s.addEventListener("select",q),s.addEventListener("selectstart",q),s.addEventListener("selectend",q),s.addEventListener("squeeze",q),s.addEventListener("squeezestart",q),s.addEventListener("squeezeend",q),s.addEventListener("end",G),s.addEventListener("inputsourceschange",nt),v.xrCompatible!==!0&&await e.makeXRCompatible(),w=t.getPixelRatio(),t.getSize(y),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let St=null,It=null,xt=null;v.depth&&(xt=v.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,St=v.stencil?mi:ci,It=v.stencil?rs:Un);let Gt={colorFormat:e.RGBA8,depthFormat:xt,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(Gt),s.updateRenderState({layers:[d]}),t.setPixelRatio(1),t.setSize(d.textureWidth,d.textureHeight,!1),S=new pn(d.textureWidth,d.textureHeight,{format:An,type:an,depthTexture:new fi(d.textureWidth,d.textureHeight,It,void 0,void 0,void 0,void 0,void 0,void 0,St),stencilBuffer:v.stencil,colorSpace:t.outputColorSpace,samples:v.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let St={antialias:v.antialias,alpha:!0,depth:v.depth,stencil:v.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,e,St),s.updateRenderState({baseLayer:f}),t.setPixelRatio(1),t.setSize(f.framebufferWidth,f.framebufferHeight,!1),S=new pn(f.framebufferWidth,f.framebufferHeight,{format:An,type:an,colorSpace:t.outputColorSpace,stencilBuffer:v.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}S.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),zt.setContext(s),zt.start(),i.isPresenting=!0,i.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return m.getDepthTexture()};function nt(Z){for(let yt=0;yt<Z.removed.length;yt++){let St=Z.removed[yt],It=A.indexOf(St);It>=0&&(A[It]=null,T[It].disconnect(St))}for(let yt=0;yt<Z.added.length;yt++){let St=Z.added[yt],It=A.indexOf(St);if(It===-1){for(let Gt=0;Gt<T.length;Gt++)if(Gt>=A.length){A.push(St),It=Gt;break}else if(A[Gt]===null){A[Gt]=St,It=Gt;break}if(It===-1)break}let xt=T[It];xt&&xt.connect(St)}}function $(Z,yt){yt===null?Z.matrixWorld.copy(Z.matrix):Z.matrixWorld.multiplyMatrices(yt.matrixWorld,Z.matrix),Z.matrixWorldInverse.copy(Z.matrixWorld).invert()}this.updateCamera=function(Z){if(s===null)return;let yt=Z.near,St=Z.far;m.texture!==null&&(m.depthNear>0&&(yt=m.depthNear),m.depthFar>0&&(St=m.depthFar)),W.near=U.near=I.near=yt,W.far=U.far=I.far=St,(D!==W.near||V!==W.far)&&(s.updateRenderState({depthNear:W.near,depthFar:W.far}),D=W.near,V=W.far),W.layers.mask=Z.layers.mask|6,I.layers.mask=W.layers.mask&-5,U.layers.mask=W.layers.mask&-3;let It=Z.parent,xt=W.cameras;$(W,It);for(let Gt=0;Gt<xt.length;Gt++)$(xt[Gt],It);W.projectionMatrix.copy(I.projectionMatrix),W.projectionMatrixInverse.copy(I.projectionMatrixInverse),L===null&&Z.isPerspectiveCamera&&(L={camera:Z,fov:Z.fov,zoom:Z.zoom}),Q(Z,W,It)};function Q(Z,yt,St){St===null?Z.matrix.copy(yt.matrixWorld):(Z.matrix.copy(St.matrixWorld),Z.matrix.invert(),Z.matrix.multiply(yt.matrixWorld)),Z.matrix.decompose(Z.position,Z.quaternion,Z.scale),Z.updateMatrixWorld(!0),Z.projectionMatrix.copy(yt.projectionMatrix),Z.projectionMatrixInverse.copy(yt.projectionMatrixInverse),Z.isPerspectiveCamera&&(Z.fov=Bs*2*Math.atan(1/Z.projectionMatrix.elements[5]),Z.zoom=1)}this.getCamera=function(){return W},this.getFoveation=function(){if(!(d===null&&f===null))return l},this.setFoveation=function(Z){l=Z,d!==null&&(d.fixedFoveation=Z),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=Z)},this.hasDepthSensing=function(){return m.texture!==null},this.getDepthSensingMesh=function(){return m.getMesh(W)},this.getCameraTexture=function(Z){return g[Z]};let tt=null;function Et(Z,yt){if(h=yt.getViewerPose(c||o),p=yt,h!==null){let St=h.views;f!==null&&(t.setRenderTargetFramebuffer(S,f.framebuffer),t.setRenderTarget(S));let It=!1;St.length!==W.cameras.length&&(W.cameras.length=0,It=!0);for(let Nt=0;Nt<St.length;Nt++){let ie=St[Nt],ce=null;if(f!==null)ce=f.getViewport(ie);else{let Ge=u.getViewSubImage(d,ie);ce=Ge.viewport,Nt===0&&(t.setRenderTargetTextures(S,Ge.colorTexture,Ge.depthStencilTexture),t.setRenderTarget(S))}let qt=B[Nt];qt===void 0&&(qt=new Je,qt.layers.enable(Nt),qt.viewport=new re,B[Nt]=qt),qt.matrix.fromArray(ie.transform.matrix),qt.matrix.decompose(qt.position,qt.quaternion,qt.scale),qt.projectionMatrix.fromArray(ie.projectionMatrix),qt.projectionMatrixInverse.copy(qt.projectionMatrix).invert(),qt.viewport.set(ce.x,ce.y,ce.width,ce.height),Nt===0&&(W.matrix.copy(qt.matrix),W.matrix.decompose(W.position,W.quaternion,W.scale)),It===!0&&W.cameras.push(qt)}let xt=s.enabledFeatures;if(xt&&xt.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&x){u=i.getBinding();let Nt=u.getDepthInformation(St[0]);Nt&&Nt.isValid&&Nt.texture&&m.init(Nt,s.renderState)}if(xt&&xt.includes("camera-access")&&x){t.state.unbindTexture(),u=i.getBinding();for(let Nt=0;Nt<St.length;Nt++){let ie=St[Nt].camera;if(ie){let ce=g[ie];ce||(ce=new $r,g[ie]=ce);let qt=u.getCameraImage(ie);ce.sourceTexture=qt}}}}for(let St=0;St<T.length;St++){let It=A[St],xt=T[St];It!==null&&xt!==void 0&&xt.update(It,yt,c||o)}tt&&tt(Z,yt),yt.detectedPlanes&&i.dispatchEvent({type:"planesdetected",data:yt}),p=null}let zt=new Fm;zt.setAnimationLoop(Et),this.setAnimationLoop=function(Z){tt=Z},this.dispose=function(){}}},qw=new kt,qm=new Ut;qm.set(-1,0,0,0,1,0,0,0,1);function Yw(n,t){function e(m,g){m.matrixAutoUpdate===!0&&m.updateMatrix(),g.value.copy(m.matrix)}function i(m,g){g.color.getRGB(m.fogColor.value,ju(n)),g.isFog?(m.fogNear.value=g.near,m.fogFar.value=g.far):g.isFogExp2&&(m.fogDensity.value=g.density)}function s(m,g,v,M,S){g.isNodeMaterial?g.uniformsNeedUpdate=!1:g.isMeshBasicMaterial?r(m,g):g.isMeshLambertMaterial?(r(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshToonMaterial?(r(m,g),u(m,g)):g.isMeshPhongMaterial?(r(m,g),h(m,g),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)):g.isMeshStandardMaterial?(r(m,g),d(m,g),g.isMeshPhysicalMaterial&&f(m,g,S)):g.isMeshMatcapMaterial?(r(m,g),p(m,g)):g.isMeshDepthMaterial?r(m,g):g.isMeshDistanceMaterial?(r(m,g),x(m,g)):g.isMeshNormalMaterial?r(m,g):g.isLineBasicMaterial?(o(m,g),g.isLineDashedMaterial&&a(m,g)):g.isPointsMaterial?l(m,g,v,M):g.isSpriteMaterial?c(m,g):g.isShadowMaterial?(m.color.value.copy(g.color),m.opacity.value=g.opacity):g.isShaderMaterial&&(g.uniformsNeedUpdate=!1)}function r(m,g){m.opacity.value=g.opacity,g.color&&m.diffuse.value.copy(g.color),g.emissive&&m.emissive.value.copy(g.emissive).multiplyScalar(g.emissiveIntensity),g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.bumpMap&&(m.bumpMap.value=g.bumpMap,e(g.bumpMap,m.bumpMapTransform),m.bumpScale.value=g.bumpScale,g.side===sn&&(m.bumpScale.value*=-1)),g.normalMap&&(m.normalMap.value=g.normalMap,e(g.normalMap,m.normalMapTransform),m.normalScale.value.copy(g.normalScale),g.side===sn&&m.normalScale.value.negate()),g.displacementMap&&(m.displacementMap.value=g.displacementMap,e(g.displacementMap,m.displacementMapTransform),m.displacementScale.value=g.displacementScale,m.displacementBias.value=g.displacementBias),g.emissiveMap&&(m.emissiveMap.value=g.emissiveMap,e(g.emissiveMap,m.emissiveMapTransform)),g.specularMap&&(m.specularMap.value=g.specularMap,e(g.specularMap,m.specularMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest);let v=t.get(g),M=v.envMap,S=v.envMapRotation;M&&(m.envMap.value=M,m.envMapRotation.value.setFromMatrix4(qw.makeRotationFromEuler(S)).transpose(),M.isCubeTexture&&M.isRenderTargetTexture===!1&&m.envMapRotation.value.premultiply(qm),m.reflectivity.value=g.reflectivity,m.ior.value=g.ior,m.refractionRatio.value=g.refractionRatio),g.lightMap&&(m.lightMap.value=g.lightMap,m.lightMapIntensity.value=g.lightMapIntensity,e(g.lightMap,m.lightMapTransform)),g.aoMap&&(m.aoMap.value=g.aoMap,m.aoMapIntensity.value=g.aoMapIntensity,e(g.aoMap,m.aoMapTransform))}function o(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform))}function a(m,g){m.dashSize.value=g.dashSize,m.totalSize.value=g.dashSize+g.gapSize,m.scale.value=g.scale}function l(m,g,v,M){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.size.value=g.size*v,m.scale.value=M*.5,g.map&&(m.map.value=g.map,e(g.map,m.uvTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function c(m,g){m.diffuse.value.copy(g.color),m.opacity.value=g.opacity,m.rotation.value=g.rotation,g.map&&(m.map.value=g.map,e(g.map,m.mapTransform)),g.alphaMap&&(m.alphaMap.value=g.alphaMap,e(g.alphaMap,m.alphaMapTransform)),g.alphaTest>0&&(m.alphaTest.value=g.alphaTest)}function h(m,g){m.specular.value.copy(g.specular),m.shininess.value=Math.max(g.shininess,1e-4)}function u(m,g){g.gradientMap&&(m.gradientMap.value=g.gradientMap)}function d(m,g){m.metalness.value=g.metalness,g.metalnessMap&&(m.metalnessMap.value=g.metalnessMap,e(g.metalnessMap,m.metalnessMapTransform)),m.roughness.value=g.roughness,g.roughnessMap&&(m.roughnessMap.value=g.roughnessMap,e(g.roughnessMap,m.roughnessMapTransform)),g.envMap&&(m.envMapIntensity.value=g.envMapIntensity)}function f(m,g,v){m.ior.value=g.ior,g.diffuseRoughness>0&&(m.diffuseRoughness.value=g.diffuseRoughness,g.diffuseRoughnessMap&&(m.diffuseRoughnessMap.value=g.diffuseRoughnessMap,e(g.diffuseRoughnessMap,m.diffuseRoughnessMapTransform))),g.sheen>0&&(m.sheenColor.value.copy(g.sheenColor).multiplyScalar(g.sheen),m.sheenRoughness.value=g.sheenRoughness,g.sheenColorMap&&(m.sheenColorMap.value=g.sheenColorMap,e(g.sheenColorMap,m.sheenColorMapTransform)),g.sheenRoughnessMap&&(m.sheenRoughnessMap.value=g.sheenRoughnessMap,e(g.sheenRoughnessMap,m.sheenRoughnessMapTransform))),g.clearcoat>0&&(m.clearcoat.value=g.clearcoat,m.clearcoatRoughness.value=g.clearcoatRoughness,g.clearcoatMap&&(m.clearcoatMap.value=g.clearcoatMap,e(g.clearcoatMap,m.clearcoatMapTransform)),g.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=g.clearcoatRoughnessMap,e(g.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),g.clearcoatNormalMap&&(m.clearcoatNormalMap.value=g.clearcoatNormalMap,e(g.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(g.clearcoatNormalScale),g.side===sn&&m.clearcoatNormalScale.value.negate())),g.dispersion>0&&(m.dispersion.value=g.dispersion),g.retroreflectivity>0&&(m.retroreflectivity.value=g.retroreflectivity),g.iridescence>0&&(m.iridescence.value=g.iridescence,m.iridescenceIOR.value=g.iridescenceIOR,m.iridescenceThicknessMinimum.value=g.iridescenceThicknessMinimum,m.iridescenceThicknessMaximum.value=g.iridescenceThicknessMaximum,g.iridescenceMap&&(m.iridescenceMap.value=g.iridescenceMap,e(g.iridescenceMap,m.iridescenceMapTransform)),g.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=g.iridescenceThicknessMap,e(g.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),g.transmission>0&&(m.transmission.value=g.transmission,m.transmissionSamplerMap.value=v.texture,m.transmissionSamplerSize.value.set(v.width,v.height),g.transmissionMap&&(m.transmissionMap.value=g.transmissionMap,e(g.transmissionMap,m.transmissionMapTransform)),m.thickness.value=g.thickness,g.thicknessMap&&(m.thicknessMap.value=g.thicknessMap,e(g.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=g.attenuationDistance,m.attenuationColor.value.copy(g.attenuationColor)),g.anisotropy>0&&(m.anisotropyVector.value.set(g.anisotropy*Math.cos(g.anisotropyRotation),g.anisotropy*Math.sin(g.anisotropyRotation)),g.anisotropyMap&&(m.anisotropyMap.value=g.anisotropyMap,e(g.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=g.specularIntensity,m.specularColor.value.copy(g.specularColor),g.specularColorMap&&(m.specularColorMap.value=g.specularColorMap,e(g.specularColorMap,m.specularColorMapTransform)),g.specularIntensityMap&&(m.specularIntensityMap.value=g.specularIntensityMap,e(g.specularIntensityMap,m.specularIntensityMapTransform))}function p(m,g){g.matcap&&(m.matcap.value=g.matcap)}function x(m,g){let v=t.get(g).light;m.referencePosition.value.setFromMatrixPosition(v.matrixWorld),m.nearDistance.value=v.shadow.camera.near,m.farDistance.value=v.shadow.camera.far}return{refreshFogUniforms:i,refreshMaterialUniforms:s}}function Kw(n,t,e,i){let s={},r={};function o(v,M){let S=M.program;i.uniformBlockBinding(v,S,s[v.id])}function a(v,M){let S=s[v.id];S===void 0&&(p(v),S=l(v),s[v.id]=S,v.addEventListener("dispose",m));let T=M.program;i.updateUBOMapping(v,T);let A=t.render.frame;r[v.id]!==A&&(c(v),r[v.id]=A)}function l(v){let M=n.createBuffer(),S=v.__size,T=v.usage;return n.bindBuffer(n.UNIFORM_BUFFER,M),n.bufferData(n.UNIFORM_BUFFER,S,T),n.bindBuffer(n.UNIFORM_BUFFER,null),M}function c(v){let M=s[v.id],S=v.uniforms,T=v.__cache;n.bindBuffer(n.UNIFORM_BUFFER,M);for(let A=0,y=S.length;A<y;A++){let w=S[A];if(Array.isArray(w))for(let L=0,I=w.length;L<I;L++)h(w[L],A,L,T);else h(w,A,0,T)}n.bindBuffer(n.UNIFORM_BUFFER,null)}function h(v,M,S,T){if(d(v,M,S,T)===!0){let A=v.__offset,y=v.value;if(Array.isArray(y)){let w=0;for(let L=0;L<y.length;L++){let I=y[L],U=x(I,!0);u(I,v.__data,w),w+=U.storage/Float32Array.BYTES_PER_ELEMENT}}else u(y,v.__data,0);n.bufferSubData(n.UNIFORM_BUFFER,A,v.__data)}}function u(v,M,S){typeof v=="number"||typeof v=="boolean"?M[S]=v:v.isMatrix3?(M[S]=v.elements[0],M[S+1]=v.elements[1],M[S+2]=v.elements[2],M[S+3]=0,M[S+4]=v.elements[3],M[S+5]=v.elements[4],M[S+6]=v.elements[5],M[S+7]=0,M[S+8]=v.elements[6],M[S+9]=v.elements[7],M[S+10]=v.elements[8],M[S+11]=0):ArrayBuffer.isView(v)?M.set(v.subarray(0,M.length-S),S):v.toArray(M,S)}function d(v,M,S,T){let A=v.value,y=M+"_"+S;if(Array.isArray(A)){T[y]===void 0&&(T[y]=[]);let w=T[y],L=!1;for(let I=0;I<A.length;I++)f(A[I],w,I)===!0&&(L=!0);return L}return f(A,T,y)}function f(v,M,S){if(M[S]===void 0)return typeof v=="number"||typeof v=="boolean"?M[S]=v:ArrayBuffer.isView(v)?M[S]=v.slice():M[S]=v.clone(),!0;{let T=M[S];if(typeof v=="number"||typeof v=="boolean"){if(T!==v)return M[S]=v,!0}else{if(ArrayBuffer.isView(v))return!0;if(T.equals(v)===!1)return T.copy(v),!0}}return!1}function p(v){let M=v.uniforms,S=0,T=16;for(let y=0,w=M.length;y<w;y++){let L=Array.isArray(M[y])?M[y]:[M[y]];for(let I=0,U=L.length;I<U;I++){let B=L[I],W=Array.isArray(B.value)?B.value:[B.value],D=Array.isArray(M[y])||Array.isArray(B.value),V=S;for(let G=0,nt=W.length;G<nt;G++){let $=W[G],Q=x($,D),tt=S%T,Et=tt%Q.boundary,zt=tt+Et;S+=Et,zt!==0&&T-zt<Q.storage&&(S+=T-zt),G===0&&(V=S),S+=Q.storage}let q=B.type==="int"?Int32Array:B.type==="uint"?Uint32Array:Float32Array;B.__data=new q((S-V)/Float32Array.BYTES_PER_ELEMENT),B.__offset=V}}let A=S%T;return A>0&&(S+=T-A),v.__size=S,v.__cache={},this}function x(v,M){let S={boundary:0,storage:0};return typeof v=="number"||typeof v=="boolean"?(S.boundary=4,S.storage=4):v.isVector2?(S.boundary=8,S.storage=8):v.isVector3||v.isColor?(S.boundary=16,S.storage=12):v.isVector4?(S.boundary=16,S.storage=16):v.isMatrix3?(S.boundary=16,S.storage=48):v.isMatrix4?(S.boundary=16,S.storage=64):v.isTexture?Ct("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(v)?(S.boundary=16,S.storage=v.byteLength):Ct("WebGLRenderer: Unsupported uniform value type.",v),M===!0&&(S.boundary=16,S.storage=Math.ceil(S.storage/16)*16),S}function m(v){let M=v.target;M.removeEventListener("dispose",m),n.deleteBuffer(s[M.id]),delete s[M.id],delete r[M.id]}function g(){for(let v in s)n.deleteBuffer(s[v]);s={},r={}}return{bind:o,update:a,dispose:g}}var Zw=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),Kn=null;function Jw(){return Kn===null&&(Kn=new Ws(Zw,16,16,Oi,Fn),Kn.name="DFG_LUT",Kn.minFilter=je,Kn.magFilter=je,Kn.wrapS=Wn,Kn.wrapT=Wn,Kn.generateMipmaps=!1,Kn.needsUpdate=!0),Kn}var cc=class{constructor(t={}){let{canvas:e=nm(),context:i=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=an}=t;this.isWebGLRenderer=!0;let p;if(i!==null){if(typeof WebGLRenderingContext<"u"&&i instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");p=i.getContextAttributes().alpha}else p=o;let x=f,m=new Set([Cl,Al,Tl]),g=new Set([an,Un,Qs,rs,Ml,wl]),v=new Uint32Array(4),M=new Int32Array(4),S={textures:[],min:[],max:[],resolution:[]},T=null,A=null,y=[],w=[],L=null;this.domElement=e,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=qn,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let I=this,U=!1,B=null,W=null,D=null,V=null;this._outputColorSpace=fn;let q=0,G=0,nt=null,$=-1,Q=null,tt=new re,Et=new re,zt=null,Z=new Rt(0),yt=0,St=e.width,It=e.height,xt=1,Gt=null,Me=null,Nt=new re(0,0,St,It),ie=new re(0,0,St,It),ce=!1,qt=new Pi,Ge=new $a,Ae=!1,rn=!1,_e=new kt,Gn=new C,Ue=new re,_n={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},vn=!1;function bn(){return nt===null?xt:1}let O=i;function Sn(b,N){return e.getContext(b,N)}let me,ge,ft,Ce,Lt,Ft,E,_,k,et,j,rt,ht,Y,K,at,R,J,X,lt,st,ot,At;try{let b={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${"187"}`),e.addEventListener("webglcontextlost",Pt,!1),e.addEventListener("webglcontextrestored",Vt,!1),e.addEventListener("webglcontextcreationerror",mt,!1),O===null){let N="webgl2";if(O=Sn(N,b),O===null)throw Sn(N)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Wt()}catch(b){throw e.removeEventListener("webglcontextlost",Pt,!1),e.removeEventListener("webglcontextrestored",Vt,!1),e.removeEventListener("webglcontextcreationerror",mt,!1),Ot("WebGLRenderer: "+b.message),b}function Wt(){me=new lM(O),me.init(),st=new Ww(O,me),ge=new JS(O,me,t,st),ft=new Gw(O,me),ge.reversedDepthBuffer&&d&&ft.buffers.depth.setReversed(!0),W=O.createFramebuffer(),D=O.createFramebuffer(),V=O.createFramebuffer(),Ce=new uM(O),Lt=new Cw,Ft=new Vw(O,me,ft,Lt,ge,st,Ce),E=new aM(I),_=new fv(O),ot=new KS(O,_),k=new cM(O,_,Ce,ot),et=new fM(O,k,_,ot,Ce),J=new dM(O,ge,Ft),K=new jS(Lt),j=new Aw(I,E,me,ge,ot,K),rt=new Yw(I,Lt),ht=new Rw,Y=new Uw(me),R=new YS(I,E,ft,et,p,l),at=new Hw(I,et,ge),At=new Kw(O,Ce,ge,ft),X=new ZS(O,me,Ce),lt=new hM(O,me,Ce),Ce.programs=j.programs,I.capabilities=ge,I.extensions=me,I.properties=Lt,I.renderLists=ht,I.shadowMap=at,I.state=ft,I.info=Ce}x!==an&&(L=new mM(x,e.width,e.height,a,s,r));let it=new ud(I,O);this.xr=it,this.getContext=function(){return O},this.getContextAttributes=function(){return O.getContextAttributes()},this.forceContextLoss=function(){let b=me.get("WEBGL_lose_context");b&&b.loseContext()},this.forceContextRestore=function(){let b=me.get("WEBGL_lose_context");b&&b.restoreContext()},this.getPixelRatio=function(){return xt},this.setPixelRatio=function(b){b!==void 0&&(xt=b,this.setSize(St,It,!1))},this.getSize=function(b){return b.set(St,It)},this.setSize=function(b,N,H=!0){if(it.isPresenting){Ct("WebGLRenderer: Can't change size while VR device is presenting.");return}St=b,It=N,e.width=Math.floor(b*xt),e.height=Math.floor(N*xt),H===!0&&(e.style.width=b+"px",e.style.height=N+"px"),L!==null&&L.setSize(e.width,e.height),this.setViewport(0,0,b,N)},this.getDrawingBufferSize=function(b){return b.set(St*xt,It*xt).floor()},this.setDrawingBufferSize=function(b,N,H){St=b,It=N,xt=H,e.width=Math.floor(b*H),e.height=Math.floor(N*H),this.setViewport(0,0,b,N)},this.setEffects=function(b){if(x===an){Ot("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(b){for(let N=0;N<b.length;N++)if(b[N].isOutputPass===!0){Ct("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}L.setEffects(b||[])},this.getCurrentViewport=function(b){return b.copy(tt)},this.getViewport=function(b){return b.copy(Nt)},this.setViewport=function(b,N,H,F){b.isVector4?Nt.set(b.x,b.y,b.z,b.w):Nt.set(b,N,H,F),ft.viewport(tt.copy(Nt).multiplyScalar(bn()).round())},this.getScissor=function(b){return b.copy(ie)},this.setScissor=function(b,N,H,F){b.isVector4?ie.set(b.x,b.y,b.z,b.w):ie.set(b,N,H,F),ft.scissor(Et.copy(ie).multiplyScalar(bn()).round())},this.getScissorTest=function(){return ce},this.setScissorTest=function(b){ft.setScissorTest(ce=b)},this.setOpaqueSort=function(b){Gt=b},this.setTransparentSort=function(b){Me=b},this.getClearColor=function(b){return b.copy(R.getClearColor())},this.setClearColor=function(){R.setClearColor(...arguments)},this.getClearAlpha=function(){return R.getClearAlpha()},this.setClearAlpha=function(){R.setClearAlpha(...arguments)},this.clear=function(b=!0,N=!0,H=!0){let F=0;if(b){let z=!1;if(nt!==null){let ut=nt.texture.format;z=m.has(ut)}if(z){let ut=nt.texture.type,bt=g.has(ut),ct=R.getClearColor(),_t=R.getClearAlpha(),Tt=ct.r,Ht=ct.g,Yt=ct.b;bt?(v[0]=Tt,v[1]=Ht,v[2]=Yt,v[3]=_t,O.clearBufferuiv(O.COLOR,0,v)):(M[0]=Tt,M[1]=Ht,M[2]=Yt,M[3]=_t,O.clearBufferiv(O.COLOR,0,M))}else F|=O.COLOR_BUFFER_BIT}N&&(F|=O.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),H&&(F|=O.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),F!==0&&O.clear(F)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(b){b.setRenderer(this),B=b},this.dispose=function(){e.removeEventListener("webglcontextlost",Pt,!1),e.removeEventListener("webglcontextrestored",Vt,!1),e.removeEventListener("webglcontextcreationerror",mt,!1),R.dispose(),ht.dispose(),Y.dispose(),Ft.dispose(),Lt.dispose(),E.dispose(),et.dispose(),k.dispose(),ot.dispose(),At.dispose(),j.dispose(),it.dispose(),it.removeEventListener("sessionstart",bf),it.removeEventListener("sessionend",Sf),Wi.stop()};function Pt(b){b.preventDefault(),qu("WebGLRenderer: Context Lost."),U=!0}function Vt(){qu("WebGLRenderer: Context Restored."),U=!1;let b=Ce.autoReset,N=at.enabled,H=at.autoUpdate,F=at.needsUpdate,z=at.type;Wt(),Ce.autoReset=b,at.enabled=N,at.autoUpdate=H,at.needsUpdate=F,at.type=z}function mt(b){Ot("WebGLRenderer: A WebGL context could not be created. Reason: ",b.statusMessage)}function se(b){let N=b.target;N.removeEventListener("dispose",se),Fe(N)}function Fe(b){Si(b),Lt.remove(b)}function Si(b){let N=Lt.get(b).programs;N!==void 0&&(N.forEach(function(H){j.releaseProgram(H)}),b.isShaderMaterial&&j.releaseShaderCache(b))}this.renderBufferDirect=function(b,N,H,F,z,ut){N===null&&(N=_n);let bt=z.isMesh&&z.matrixWorld.determinantAffine()<0,ct=zx(b,N,H,F,z);ft.setMaterial(F,bt);let _t=H.index,Tt=1;if(F.wireframe===!0){if(_t=k.getWireframeAttribute(H),_t===void 0)return;Tt=2}let Ht=H.drawRange,Yt=H.attributes.position,Mt=Ht.start*Tt,Kt=(Ht.start+Ht.count)*Tt;ut!==null&&(Mt=Math.max(Mt,ut.start*Tt),Kt=Math.min(Kt,(ut.start+ut.count)*Tt)),_t!==null?(Mt=Math.max(Mt,0),Kt=Math.min(Kt,_t.count)):Yt!=null&&(Mt=Math.max(Mt,0),Kt=Math.min(Kt,Yt.count));let we=Kt-Mt;if(we<0||we===1/0)return;ot.setup(z,F,ct,H,_t);let de,he=X;if(_t!==null&&(de=_.get(_t),he=lt,he.setIndex(de)),z.isMesh)F.wireframe===!0?(ft.setLineWidth(F.wireframeLinewidth*bn()),he.setMode(O.LINES)):he.setMode(O.TRIANGLES);else if(z.isLine){let Xe=F.linewidth;Xe===void 0&&(Xe=1),ft.setLineWidth(Xe*bn()),z.isLineSegments?he.setMode(O.LINES):z.isLineLoop?he.setMode(O.LINE_LOOP):he.setMode(O.LINE_STRIP)}else z.isPoints?he.setMode(O.POINTS):z.isSprite&&he.setMode(O.TRIANGLES);if(z.isBatchedMesh)if(me.get("WEBGL_multi_draw"))he.renderMultiDraw(z._multiDrawStarts,z._multiDrawCounts,z._multiDrawCount);else{let Xe=z._multiDrawStarts,wt=z._multiDrawCounts,Ze=z._multiDrawCount,jt=_t?_.get(_t).bytesPerElement:1,Xi=Lt.get(F).currentProgram.getUniforms();for(let $e=0;$e<Ze;$e++)Xi.setValue(O,"_gl_DrawID",$e),he.render(Xe[$e]/jt,wt[$e])}else if(z.isInstancedMesh)he.renderInstances(Mt,we,z.count);else if(H.isInstancedBufferGeometry){let Xe=H._maxInstanceCount!==void 0?H._maxInstanceCount:1/0,wt=Math.min(H.instanceCount,Xe);he.renderInstances(Mt,we,wt)}else he.render(Mt,we)};function vf(b,N,H,F){B!==null&&b.isNodeMaterial&&B.setObject(F,b),Ae===!0&&K.setState(b,H,!1),b.transparent===!0&&b.side===on&&b.forceSinglePass===!1?(b.side=sn,b.needsUpdate=!0,xr(b,N,F),b.side=$n,b.needsUpdate=!0,xr(b,N,F),b.side=on):xr(b,N,F)}this.compile=function(b,N,H=null){H===null&&(H=b),B!==null&&B.renderStart(b,N,H),A=Y.get(H),A.init(N),w.push(A),H.traverseVisible(function(z){z.isLight&&z.layers.test(N.layers)&&(A.pushLight(z),z.castShadow&&A.pushShadow(z))}),b!==H&&b.traverseVisible(function(z){z.isLight&&z.layers.test(N.layers)&&(A.pushLight(z),z.castShadow&&A.pushShadow(z))}),A.setupLights(),B!==null&&B.updateLights(A.state.lightsArray),rn=this.localClippingEnabled,Ae=K.init(this.clippingPlanes,rn),Ae===!0&&K.setGlobalState(this.clippingPlanes,N),B!==null&&at.render(A.state.shadowsArray,H,N);let F=new Set;return b.traverse(function(z){if(!(z.isMesh||z.isPoints||z.isLine||z.isSprite))return;let ut=z.material;if(ut)if(Array.isArray(ut))for(let bt=0;bt<ut.length;bt++){let ct=ut[bt];vf(ct,H,N,z),F.add(ct)}else vf(ut,H,N,z),F.add(ut)}),A=w.pop(),B!==null&&B.renderEnd(),F},this.compileAsync=function(b,N,H=null){let F=this.compile(b,N,H);return new Promise(z=>{function ut(){if(F.forEach(function(bt){let _t=Lt.get(bt).currentProgram;(_t===void 0||_t.isReady())&&F.delete(bt)}),F.size===0){z(b);return}setTimeout(ut,10)}me.get("KHR_parallel_shader_compile")!==null?ut():setTimeout(ut,10)})};let Oh=null;function kx(b){Oh&&Oh(b)}function bf(){Wi.stop()}function Sf(){Wi.start()}let Wi=new Fm;Wi.setAnimationLoop(kx),typeof self<"u"&&Wi.setContext(self),this.setAnimationLoop=function(b){Oh=b,it.setAnimationLoop(b),b===null?Wi.stop():Wi.start()},it.addEventListener("sessionstart",bf),it.addEventListener("sessionend",Sf),this.render=function(b,N){if(N!==void 0&&N.isCamera!==!0){Ot("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(U===!0)return;B!==null&&B.renderStart(b,N);let H=it.enabled===!0&&it.isPresenting===!0,F=L!==null&&(nt===null||H)&&L.begin(I,nt);if(b.matrixWorldAutoUpdate===!0&&b.updateMatrixWorld(),N.parent===null&&N.matrixWorldAutoUpdate===!0&&N.updateMatrixWorld(),it.enabled===!0&&it.isPresenting===!0&&(L===null||L.isCompositing()===!1)&&(it.cameraAutoUpdate===!0&&it.updateCamera(N),N=it.getCamera()),b.isScene===!0&&b.onBeforeRender(I,b,N,nt),A=Y.get(b,w.length),A.init(N),A.state.textureUnits=Ft.getTextureUnits(),w.push(A),_e.multiplyMatrices(N.projectionMatrix,N.matrixWorldInverse),N.isArrayCamera?Ge.setFromArrayCamera(N):qt.setFromProjectionMatrix(_e,wn,N.reversedDepth),rn=this.localClippingEnabled,Ae=K.init(this.clippingPlanes,rn),T=ht.get(b,y.length),T.init(),y.push(T),this.info.render.frame++,it.enabled===!0&&it.isPresenting===!0){let bt=I.xr.getDepthSensingMesh();bt!==null&&Uh(bt,N,-1/0,I.sortObjects)}Uh(b,N,0,I.sortObjects),T.finish(),B!==null&&B.updateLights(A.state.lightsArray),I.sortObjects===!0&&T.sort(Gt,Me),vn=it.enabled===!1||it.isPresenting===!1||it.hasDepthSensing()===!1,vn&&R.addToRenderList(T,b),this.info.autoReset===!0&&this.info.reset(),Ae===!0&&K.beginShadows();let z=A.state.shadowsArray;if(at.render(z,b,N),Ae===!0&&K.endShadows(),(F&&L.hasRenderPass())===!1){let bt=T.opaque,ct=T.transmissive;if(A.setupLights(),N.isArrayCamera){let _t=N.cameras;if(ct.length>0)for(let Tt=0,Ht=_t.length;Tt<Ht;Tt++){let Yt=_t[Tt];wf(bt,ct,b,Yt)}vn&&R.render(b);for(let Tt=0,Ht=_t.length;Tt<Ht;Tt++){let Yt=_t[Tt];Mf(T,b,Yt,Yt.viewport)}}else ct.length>0&&wf(bt,ct,b,N),vn&&R.render(b),Mf(T,b,N)}nt!==null&&G===0&&(Ft.updateMultisampleRenderTarget(nt),Ft.updateRenderTargetMipmap(nt)),F&&L.end(I),b.isScene===!0&&b.onAfterRender(I,b,N),ot.resetDefaultState(),$=-1,Q=null,w.pop(),w.length>0?(A=w[w.length-1],Ft.setTextureUnits(A.state.textureUnits),Ae===!0&&K.setGlobalState(I.clippingPlanes,A.state.camera)):A=null,y.pop(),y.length>0?T=y[y.length-1]:T=null,B!==null&&B.renderEnd()};function Uh(b,N,H,F){if(b.visible===!1)return;if(b.layers.test(N.layers)){if(b.isGroup)H=b.renderOrder;else if(b.isLOD)b.autoUpdate===!0&&b.update(N);else if(b.isLight)A.pushLight(b),b.castShadow&&A.pushShadow(b);else if(b.isSprite){let bt=N.isArrayCamera?Ge:qt;if(!b.frustumCulled||b.intersectsFrustum(bt)){F&&Ue.setFromMatrixPosition(b.matrixWorld).applyMatrix4(_e);let ct=et.update(b),_t=b.material;_t.visible&&T.push(b,ct,_t,H,Ue.z,null,N)}}else if(b.isMesh||b.isLine||b.isPoints){let bt=N.isArrayCamera?Ge:qt;if(!b.frustumCulled||b.intersectsFrustum(bt)){let ct=et.update(b),_t=b.material;if(F&&(b.boundingSphere!==void 0?(b.boundingSphere===null&&b.computeBoundingSphere(),Ue.copy(b.boundingSphere.center)):(ct.boundingSphere===null&&ct.computeBoundingSphere(),Ue.copy(ct.boundingSphere.center)),Ue.applyMatrix4(b.matrixWorld).applyMatrix4(_e)),Array.isArray(_t)){let Tt=ct.groups;for(let Ht=0,Yt=Tt.length;Ht<Yt;Ht++){let Mt=Tt[Ht],Kt=_t[Mt.materialIndex];Kt&&Kt.visible&&T.push(b,ct,Kt,H,Ue.z,Mt,N)}}else _t.visible&&T.push(b,ct,_t,H,Ue.z,null,N)}}}let ut=b.children;for(let bt=0,ct=ut.length;bt<ct;bt++)Uh(ut[bt],N,H,F)}function Mf(b,N,H,F){let{opaque:z,transmissive:ut,transparent:bt}=b;A.setupLightsView(H),Ae===!0&&K.setGlobalState(I.clippingPlanes,H),F&&ft.viewport(tt.copy(F)),z.length>0&&Qo(z,N,H),ut.length>0&&Qo(ut,N,H),bt.length>0&&Qo(bt,N,H),ft.buffers.depth.setTest(!0),ft.buffers.depth.setMask(!0),ft.buffers.color.setMask(!0),ft.setPolygonOffset(!1)}function wf(b,N,H,F){if((H.isScene===!0?H.overrideMaterial:null)!==null)return;if(A.state.transmissionRenderTarget[F.id]===void 0){let Mt=me.has("EXT_color_buffer_half_float")||me.has("EXT_color_buffer_float");A.state.transmissionRenderTarget[F.id]=new pn(1,1,{generateMipmaps:!0,type:Mt?Fn:an,minFilter:pi,samples:Math.max(4,ge.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:Zt.workingColorSpace})}let ut=A.state.transmissionRenderTarget[F.id],bt=F.viewport||tt;ut.setSize(bt.z*I.transmissionResolutionScale,bt.w*I.transmissionResolutionScale);let ct=I.getRenderTarget(),_t=I.getActiveCubeFace(),Tt=I.getActiveMipmapLevel();I.setRenderTarget(ut),I.getClearColor(Z),yt=I.getClearAlpha(),yt<1&&I.setClearColor(16777215,.5),I.clear(),vn&&R.render(H);let Ht=I.toneMapping;I.toneMapping=qn;let Yt=F.viewport;if(F.viewport!==void 0&&(F.viewport=void 0),A.setupLightsView(F),Ae===!0&&K.setGlobalState(I.clippingPlanes,F),Qo(b,H,F),Ft.updateMultisampleRenderTarget(ut),Ft.updateRenderTargetMipmap(ut),me.has("WEBGL_multisampled_render_to_texture")===!1){let Mt=!1;for(let Kt=0,we=N.length;Kt<we;Kt++){let de=N[Kt],{object:he,geometry:Xe,material:wt,group:Ze}=de;if(wt.side===on&&he.layers.test(F.layers)){let jt=wt.side;wt.side=sn,wt.needsUpdate=!0,Ef(he,H,F,Xe,wt,Ze),wt.side=jt,wt.needsUpdate=!0,Mt=!0}}Mt===!0&&(Ft.updateMultisampleRenderTarget(ut),Ft.updateRenderTargetMipmap(ut))}I.setRenderTarget(ct,_t,Tt),I.setClearColor(Z,yt),Yt!==void 0&&(F.viewport=Yt),I.toneMapping=Ht}function Qo(b,N,H){let F=N.isScene===!0?N.overrideMaterial:null;for(let z=0,ut=b.length;z<ut;z++){let bt=b[z],{object:ct,geometry:_t,group:Tt}=bt,Ht=bt.material;Ht.allowOverride===!0&&F!==null&&(Ht=F),ct.layers.test(H.layers)&&Ef(ct,N,H,_t,Ht,Tt)}}function Ef(b,N,H,F,z,ut){B!==null&&z.isNodeMaterial&&B.setObject(b,z),b.onBeforeRender(I,N,H,F,z,ut),b.modelViewMatrix.multiplyMatrices(H.matrixWorldInverse,b.matrixWorld),b.normalMatrix.getNormalMatrix(b.modelViewMatrix),z.onBeforeRender(I,N,H,F,b,ut),z.transparent===!0&&z.side===on&&z.forceSinglePass===!1?(z.side=sn,z.needsUpdate=!0,I.renderBufferDirect(H,N,F,z,b,ut),z.side=$n,z.needsUpdate=!0,I.renderBufferDirect(H,N,F,z,b,ut),z.side=on):I.renderBufferDirect(H,N,F,z,b,ut),b.onAfterRender(I,N,H,F,z,ut)}function Tf(b){let N=0;for(let H of b)H.texture!==null&&N++;return N}function xr(b,N,H){N.isScene!==!0&&(N=_n);let F=Lt.get(b),z=A.state.lights,ut=A.state.shadowsArray,bt=z.state.version,ct=j.getParameters(b,z.state,ut,N,H,A.state.lightProbeGridArray),_t=j.getProgramCacheKey(ct),Tt=F.programs;F.environment=b.isMeshStandardMaterial||b.isMeshLambertMaterial||b.isMeshPhongMaterial?N.environment:null,F.fog=N.fog;let Ht=b.isMeshStandardMaterial||b.isMeshLambertMaterial&&!b.envMap||b.isMeshPhongMaterial&&!b.envMap;F.envMap=E.get(b.envMap||F.environment,Ht),F.envMapRotation=F.environment!==null&&b.envMap===null?N.environmentRotation:b.envMapRotation,Tt===void 0&&(b.addEventListener("dispose",se),Tt=new Map,F.programs=Tt,F.programVariants=new Map);let Yt=Tt.get(_t);if(Yt!==void 0){if(F.currentProgram===Yt&&F.lightsStateVersion===bt)return Cf(b,ct),Yt}else ct.uniforms=j.getUniforms(b),B!==null&&b.isNodeMaterial&&B.build(b,H,ct),b.onBeforeCompile(ct,I),Yt=j.acquireProgram(ct,_t),Tt.set(_t,Yt),F.uniforms=ct.uniforms;let Mt=F.uniforms;return(!b.isShaderMaterial&&!b.isRawShaderMaterial||b.clipping===!0)&&(Mt.clippingPlanes=K.uniform),Cf(b,ct),F.needsLights=Gx(b),F.lightsStateVersion=bt,F.needsLights&&(Mt.ambientLightColor.value=z.state.ambient,Mt.lightProbe.value=z.state.probe,Mt.sunLights.value=z.state.sun,Mt.sunLightShadows.value=z.state.sunShadow,Mt.directionalLights.value=z.state.directional,Mt.directionalLightShadows.value=z.state.directionalShadow,Mt.spotLights.value=z.state.spot,Mt.spotLightShadows.value=z.state.spotShadow,Mt.rectAreaLights.value=z.state.rectArea,Mt.ltc_1.value=z.state.rectAreaLTC1,Mt.ltc_2.value=z.state.rectAreaLTC2,Mt.pointLights.value=z.state.point,Mt.pointLightShadows.value=z.state.pointShadow,Mt.hemisphereLights.value=z.state.hemi,Mt.sunShadowMatrix.value=z.state.sunShadowMatrix,Mt.sunShadowCascade.value=z.state.sunShadowCascade,Mt.directionalShadowMatrix.value=z.state.directionalShadowMatrix,Mt.spotLightMatrix.value=z.state.spotLightMatrix,Mt.spotLightMap.value=z.state.spotLightMap,Mt.pointShadowMatrix.value=z.state.pointShadowMatrix),F.numLightProbeGrids=Tf(A.state.lightProbeGridArray),F.currentProgram=Yt,F.uniformsList=null,Yt}function Bx(b,N,H,F,z){let ut=Lt.get(b),bt=ut.currentProgram.id+","+F+","+z,ct=ut.programVariants.get(bt);return ct===void 0?(ct=xr(b,N,H),ut.programVariants.set(bt,ct)):(ut.currentProgram=ct,ut.uniformsList=null,ut.outputColorSpace=F,ut.toneMapping=z),ct}function Af(b){if(b.uniformsList===null){let N=b.currentProgram.getUniforms();b.uniformsList=tr.seqWithValue(N.seq,b.uniforms)}return b.uniformsList}function Cf(b,N){let H=Lt.get(b);H.outputColorSpace=N.outputColorSpace,H.batching=N.batching,H.batchingColor=N.batchingColor,H.instancing=N.instancing,H.instancingColor=N.instancingColor,H.instancingMorph=N.instancingMorph,H.skinning=N.skinning,H.morphTargets=N.morphTargets,H.morphNormals=N.morphNormals,H.morphColors=N.morphColors,H.morphTargetsCount=N.morphTargetsCount,H.numClippingPlanes=N.numClippingPlanes,H.numIntersection=N.numClipIntersection,H.vertexAlphas=N.vertexAlphas,H.vertexTangents=N.vertexTangents,H.toneMapping=N.toneMapping}function zx(b,N,H,F,z){N.isScene!==!0&&(N=_n),Ft.resetTextureUnits();let ut=N.fog,bt=F.isMeshStandardMaterial||F.isMeshLambertMaterial||F.isMeshPhongMaterial?N.environment:null,ct=nt===null?I.outputColorSpace:nt.isXRRenderTarget===!0?nt.texture.colorSpace:Zt.workingColorSpace,_t=F.isMeshStandardMaterial||F.isMeshLambertMaterial&&!F.envMap||F.isMeshPhongMaterial&&!F.envMap,Tt=E.get(F.envMap||bt,_t),Ht=F.vertexColors===!0&&!!H.attributes.color&&H.attributes.color.itemSize===4,Yt=!!H.attributes.tangent&&(!!F.normalMap||F.anisotropy>0),Mt=!!H.morphAttributes.position,Kt=!!H.morphAttributes.normal,we=!!H.morphAttributes.color,de=qn;F.toneMapped&&(nt===null||nt.isXRRenderTarget===!0)&&(de=I.toneMapping);let he=H.morphAttributes.position||H.morphAttributes.normal||H.morphAttributes.color,Xe=he!==void 0?he.length:0,wt=Lt.get(F),Ze=A.state.lights;if(Ae===!0&&(rn===!0||b!==Q)){let ve=b===Q&&F.id===$;K.setState(F,b,ve)}let jt=!1,Xi=!1;F.version===wt.__version?wt.needsLights&&wt.lightsStateVersion!==Ze.state.version||z.isBatchedMesh&&wt.batching===!1||!z.isBatchedMesh&&wt.batching===!0||z.isBatchedMesh&&wt.batchingColor===!0&&z._colorsTexture===null||z.isBatchedMesh&&wt.batchingColor===!1&&z._colorsTexture!==null||z.isInstancedMesh&&wt.instancing===!1||!z.isInstancedMesh&&wt.instancing===!0||z.isSkinnedMesh&&wt.skinning===!1||!z.isSkinnedMesh&&wt.skinning===!0||z.isInstancedMesh&&wt.instancingColor===!0&&z.instanceColor===null||z.isInstancedMesh&&wt.instancingColor===!1&&z.instanceColor!==null||z.isInstancedMesh&&wt.instancingMorph===!0&&z.morphTexture===null||z.isInstancedMesh&&wt.instancingMorph===!1&&z.morphTexture!==null||wt.envMap!==Tt||F.fog===!0&&wt.fog!==ut||wt.numClippingPlanes!==void 0&&(wt.numClippingPlanes!==K.numPlanes||wt.numIntersection!==K.numIntersection)||wt.vertexAlphas!==Ht||wt.vertexTangents!==Yt||wt.morphTargets!==Mt||wt.morphNormals!==Kt||wt.morphColors!==we||wt.morphTargetsCount!==Xe||wt.numLightProbeGrids!==Tf(A.state.lightProbeGridArray)?jt=!0:(wt.outputColorSpace!==ct||wt.toneMapping!==de)&&(Xi=!0):(jt=!0,wt.__version=F.version);let $e=wt.currentProgram;(jt===!0||Xi===!0)&&($e=Xi===!0?Bx(F,N,z,ct,de):xr(F,N,z),B&&F.isNodeMaterial&&B.onUpdateProgram(F,$e,wt));let ta=!1,Mi=!1,$i=!1,Jt=$e.getUniforms(),Ve=wt.uniforms;if(ft.useProgram($e.program)&&(ta=!0,Mi=!0,$i=!0),F.id!==$&&($=F.id,Mi=!0),ta||Q!==b){ft.buffers.depth.getReversed()&&b.reversedDepth!==!0&&(b._reversedDepth=!0,b.updateProjectionMatrix()),Jt.setValue(O,"projectionMatrix",b.projectionMatrix),Jt.setValue(O,"viewMatrix",b.matrixWorldInverse);let ke=Jt.map.cameraPosition;ke!==void 0&&ke.setValue(O,Gn.setFromMatrixPosition(b.matrixWorld)),ge.logarithmicDepthBuffer&&Jt.setValue(O,"logDepthBufFC",2/(Math.log(b.far+1)/Math.LN2)),(F.isMeshPhongMaterial||F.isMeshToonMaterial||F.isMeshLambertMaterial||F.isMeshBasicMaterial||F.isMeshStandardMaterial||F.isShaderMaterial)&&Jt.setValue(O,"isOrthographic",b.isOrthographicCamera===!0),Q!==b&&(Q=b,Mi=!0,$i=!0)}if(wt.needsLights&&(Ze.state.sunShadowMap.length>0&&Jt.setValue(O,"sunShadowMap",Ze.state.sunShadowMap,Ft),Ze.state.directionalShadowMap.length>0&&Jt.setValue(O,"directionalShadowMap",Ze.state.directionalShadowMap,Ft),Ze.state.spotShadowMap.length>0&&Jt.setValue(O,"spotShadowMap",Ze.state.spotShadowMap,Ft),Ze.state.pointShadowMap.length>0&&Jt.setValue(O,"pointShadowMap",Ze.state.pointShadowMap,Ft)),z.isSkinnedMesh){Jt.setOptional(O,z,"bindMatrix"),Jt.setOptional(O,z,"bindMatrixInverse");let ve=z.skeleton;ve&&(ve.boneTexture===null&&ve.computeBoneTexture(),Jt.setValue(O,"boneTexture",ve.boneTexture,Ft))}z.isBatchedMesh&&(Jt.setOptional(O,z,"batchingTexture"),Jt.setValue(O,"batchingTexture",z._matricesTexture,Ft),Jt.setOptional(O,z,"batchingIdTexture"),Jt.setValue(O,"batchingIdTexture",z._indirectTexture,Ft),Jt.setOptional(O,z,"batchingColorTexture"),z._colorsTexture!==null&&Jt.setValue(O,"batchingColorTexture",z._colorsTexture,Ft));let Cn=H.morphAttributes;if((Cn.position!==void 0||Cn.normal!==void 0||Cn.color!==void 0)&&J.update(z,H,$e),(Mi||wt.receiveShadow!==z.receiveShadow)&&(wt.receiveShadow=z.receiveShadow,Jt.setValue(O,"receiveShadow",z.receiveShadow)),(F.isMeshStandardMaterial||F.isMeshLambertMaterial||F.isMeshPhongMaterial)&&F.envMap===null&&N.environment!==null&&(Ve.envMapIntensity.value=N.environmentIntensity),Ve.dfgLUT!==void 0&&(Ve.dfgLUT.value=Jw()),Mi){if(Jt.setValue(O,"toneMappingExposure",I.toneMappingExposure),wt.needsLights&&Hx(Ve,$i),ut&&F.fog===!0&&rt.refreshFogUniforms(Ve,ut),rt.refreshMaterialUniforms(Ve,F,xt,It,A.state.transmissionRenderTarget[b.id]),wt.needsLights&&wt.numLightProbeGrids>0){let ve=S,ke=0;for(let ei of A.state.lightProbeGridArray)ei.texture!==null&&(ve.textures[ke]=ei.texture,ve.min[ke]=ei.boundingBox.min,ve.max[ke]=ei.boundingBox.max,ve.resolution[ke]=ei.resolution,ke++);for(let ei in ve)ve[ei].length=ke;Ve.probesSH.value=ve.textures,Ve.probesMin.value=ve.min,Ve.probesMax.value=ve.max,Ve.probesResolution.value=ve.resolution}tr.upload(O,Af(wt),Ve,Ft)}if(F.isShaderMaterial&&F.uniformsNeedUpdate===!0&&(tr.upload(O,Af(wt),Ve,Ft),F.uniformsNeedUpdate=!1),F.isSpriteMaterial&&Jt.setValue(O,"center",z.center),Jt.setValue(O,"modelViewMatrix",z.modelViewMatrix),Jt.setValue(O,"normalMatrix",z.normalMatrix),Jt.setValue(O,"modelMatrix",z.matrixWorld),F.uniformsGroups!==void 0){let ve=F.uniformsGroups;for(let ke=0,ei=ve.length;ke<ei;ke++){let Rf=ve[ke];At.update(Rf,$e),At.bind(Rf,$e)}}return $e}function Hx(b,N){b.ambientLightColor.needsUpdate=N,b.lightProbe.needsUpdate=N,b.sunLights.needsUpdate=N,b.sunLightShadows.needsUpdate=N,b.directionalLights.needsUpdate=N,b.directionalLightShadows.needsUpdate=N,b.pointLights.needsUpdate=N,b.pointLightShadows.needsUpdate=N,b.spotLights.needsUpdate=N,b.spotLightShadows.needsUpdate=N,b.rectAreaLights.needsUpdate=N,b.hemisphereLights.needsUpdate=N}function Gx(b){return b.isMeshLambertMaterial||b.isMeshToonMaterial||b.isMeshPhongMaterial||b.isMeshStandardMaterial||b.isShadowMaterial||b.isShaderMaterial&&b.lights===!0}this.getActiveCubeFace=function(){return q},this.getActiveMipmapLevel=function(){return G},this.getRenderTarget=function(){return nt},this.setRenderTargetTextures=function(b,N,H){let F=Lt.get(b);F.__autoAllocateDepthBuffer=b.resolveDepthBuffer===!1,F.__autoAllocateDepthBuffer===!1&&(F.__useRenderToTexture=!1),Lt.get(b.texture).__webglTexture=N,Lt.get(b.depthTexture).__webglTexture=F.__autoAllocateDepthBuffer?void 0:H,F.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(b,N){let H=Lt.get(b);H.__webglFramebuffer=N,H.__useDefaultFramebuffer=N===void 0},this.setRenderTarget=function(b,N=0,H=0){nt=b,q=N,G=H;let F=null,z=!1,ut=!1;if(b){let ct=Lt.get(b);if(ct.__useDefaultFramebuffer!==void 0){ft.bindFramebuffer(O.FRAMEBUFFER,ct.__webglFramebuffer),tt.copy(b.viewport),Et.copy(b.scissor),zt=b.scissorTest,ft.viewport(tt),ft.scissor(Et),ft.setScissorTest(zt),$=-1;return}else if(ct.__webglFramebuffer===void 0)Ft.setupRenderTarget(b);else if(ct.__hasExternalTextures)Ft.rebindTextures(b,Lt.get(b.texture).__webglTexture,Lt.get(b.depthTexture).__webglTexture);else if(b.depthBuffer){let Ht=b.depthTexture;if(ct.__boundDepthTexture!==Ht){if(Ht!==null&&Lt.has(Ht)&&(b.width!==Ht.image.width||b.height!==Ht.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Ft.setupDepthRenderbuffer(b)}}let _t=b.texture;(_t.isData3DTexture||_t.isDataArrayTexture||_t.isCompressedArrayTexture)&&(ut=!0);let Tt=Lt.get(b).__webglFramebuffer;b.isWebGLCubeRenderTarget?(Array.isArray(Tt[N])?F=Tt[N][H]:F=Tt[N],z=!0):b.samples>0&&Ft.useMultisampledRTT(b)===!1?F=Lt.get(b).__webglMultisampledFramebuffer:Array.isArray(Tt)?F=Tt[H]:F=Tt,tt.copy(b.viewport),Et.copy(b.scissor),zt=b.scissorTest}else tt.copy(Nt).multiplyScalar(xt).floor(),Et.copy(ie).multiplyScalar(xt).floor(),zt=ce;if(H!==0&&(F=W),ft.bindFramebuffer(O.FRAMEBUFFER,F)&&ft.drawBuffers(b,F),ft.viewport(tt),ft.scissor(Et),ft.setScissorTest(zt),z){let ct=Lt.get(b.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_CUBE_MAP_POSITIVE_X+N,ct.__webglTexture,H)}else if(ut){let ct=N;for(let _t=0;_t<b.textures.length;_t++){let Tt=Lt.get(b.textures[_t]);O.framebufferTextureLayer(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0+_t,Tt.__webglTexture,H,ct)}}else if(b!==null&&H!==0){let ct=Lt.get(b.texture);O.framebufferTexture2D(O.FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,ct.__webglTexture,H)}$=-1};function Pf(b){let N=Lt.get(b);return(N.__readFormat!==b.format||N.__readType!==b.type)&&(N.__readFormat=b.format,N.__readType=b.type,N.__formatReadable=ge.textureFormatReadable(b.format),N.__typeReadable=ge.textureTypeReadable(b.type)),N}this.readRenderTargetPixels=function(b,N,H,F,z,ut,bt,ct=0){if(!(b&&b.isWebGLRenderTarget)){Ot("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let _t=Lt.get(b).__webglFramebuffer;if(b.isWebGLCubeRenderTarget&&bt!==void 0&&(_t=_t[bt],Array.isArray(_t)&&(_t=_t[0])),_t){ft.bindFramebuffer(O.FRAMEBUFFER,_t);try{let Tt=b.textures[ct],Ht=Tt.format,Yt=Tt.type;b.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+ct);let Mt=Pf(Tt);if(Mt.__formatReadable===!1){Ot("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(Mt.__typeReadable===!1){Ot("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}N>=0&&N<=b.width-F&&H>=0&&H<=b.height-z&&O.readPixels(N,H,F,z,st.convert(Ht),st.convert(Yt),ut)}finally{let Tt=nt!==null?Lt.get(nt).__webglFramebuffer:null;ft.bindFramebuffer(O.FRAMEBUFFER,Tt)}}},this.readRenderTargetPixelsAsync=async function(b,N,H,F,z,ut,bt,ct=0){if(!(b&&b.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let _t=Lt.get(b).__webglFramebuffer;if(b.isWebGLCubeRenderTarget&&bt!==void 0&&(_t=_t[bt],Array.isArray(_t)&&(_t=_t[0])),_t)if(N>=0&&N<=b.width-F&&H>=0&&H<=b.height-z){ft.bindFramebuffer(O.FRAMEBUFFER,_t);let Tt=b.textures[ct],Ht=Tt.format,Yt=Tt.type;b.textures.length>1&&O.readBuffer(O.COLOR_ATTACHMENT0+ct);let Mt=Pf(Tt);if(Mt.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(Mt.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let Kt=O.createBuffer();O.bindBuffer(O.PIXEL_PACK_BUFFER,Kt),O.bufferData(O.PIXEL_PACK_BUFFER,ut.byteLength,O.STREAM_READ),O.readPixels(N,H,F,z,st.convert(Ht),st.convert(Yt),0),O.bindBuffer(O.PIXEL_PACK_BUFFER,null);let we=nt!==null?Lt.get(nt).__webglFramebuffer:null;ft.bindFramebuffer(O.FRAMEBUFFER,we);let de=O.fenceSync(O.SYNC_GPU_COMMANDS_COMPLETE,0);return O.flush(),await sm(O,de,4),O.bindBuffer(O.PIXEL_PACK_BUFFER,Kt),O.getBufferSubData(O.PIXEL_PACK_BUFFER,0,ut),O.bindBuffer(O.PIXEL_PACK_BUFFER,null),O.deleteBuffer(Kt),O.deleteSync(de),ut}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(b,N=null,H=0){let F=Math.pow(2,-H),z=Math.floor(b.image.width*F),ut=Math.floor(b.image.height*F),bt=N!==null?N.x:0,ct=N!==null?N.y:0;Ft.setTexture2D(b,0),O.copyTexSubImage2D(O.TEXTURE_2D,H,0,0,bt,ct,z,ut),ft.unbindTexture()},this.copyTextureToTexture=function(b,N,H=null,F=null,z=0,ut=0){let bt,ct,_t,Tt,Ht,Yt,Mt,Kt,we,de=b.isCompressedTexture?b.mipmaps[ut]:b.image;if(H!==null)bt=H.max.x-H.min.x,ct=H.max.y-H.min.y,_t=H.isBox3?H.max.z-H.min.z:1,Tt=H.min.x,Ht=H.min.y,Yt=H.isBox3?H.min.z:0;else{let Jt=Math.pow(2,-z);bt=Math.floor(de.width*Jt),ct=Math.floor(de.height*Jt),b.isDataArrayTexture?_t=de.depth:b.isData3DTexture?_t=Math.floor(de.depth*Jt):_t=1,Tt=0,Ht=0,Yt=0}F!==null?(Mt=F.x,Kt=F.y,we=F.z):(Mt=0,Kt=0,we=0);let he=st.convert(N.format),Xe=st.convert(N.type),wt;N.isData3DTexture?(Ft.setTexture3D(N,0),wt=O.TEXTURE_3D):N.isDataArrayTexture||N.isCompressedArrayTexture?(Ft.setTexture2DArray(N,0),wt=O.TEXTURE_2D_ARRAY):(Ft.setTexture2D(N,0),wt=O.TEXTURE_2D),ft.activeTexture(O.TEXTURE0),ft.pixelStorei(O.UNPACK_FLIP_Y_WEBGL,N.flipY),ft.pixelStorei(O.UNPACK_PREMULTIPLY_ALPHA_WEBGL,N.premultiplyAlpha),ft.pixelStorei(O.UNPACK_ALIGNMENT,N.unpackAlignment);let Ze=ft.getParameter(O.UNPACK_ROW_LENGTH),jt=ft.getParameter(O.UNPACK_IMAGE_HEIGHT),Xi=ft.getParameter(O.UNPACK_SKIP_PIXELS),$e=ft.getParameter(O.UNPACK_SKIP_ROWS),ta=ft.getParameter(O.UNPACK_SKIP_IMAGES);ft.pixelStorei(O.UNPACK_ROW_LENGTH,de.width),ft.pixelStorei(O.UNPACK_IMAGE_HEIGHT,de.height),ft.pixelStorei(O.UNPACK_SKIP_PIXELS,Tt),ft.pixelStorei(O.UNPACK_SKIP_ROWS,Ht),ft.pixelStorei(O.UNPACK_SKIP_IMAGES,Yt);let Mi=b.isDataArrayTexture||b.isData3DTexture,$i=N.isDataArrayTexture||N.isData3DTexture;if(b.isDepthTexture){let Jt=Lt.get(b),Ve=Lt.get(N),Cn=Lt.get(Jt.__renderTarget),ve=Lt.get(Ve.__renderTarget);ft.bindFramebuffer(O.READ_FRAMEBUFFER,Cn.__webglFramebuffer),ft.bindFramebuffer(O.DRAW_FRAMEBUFFER,ve.__webglFramebuffer);for(let ke=0;ke<_t;ke++)Mi&&(O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Lt.get(b).__webglTexture,z,Yt+ke),O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Lt.get(N).__webglTexture,ut,we+ke)),O.blitFramebuffer(Tt,Ht,Tt+bt,Ht+ct,Mt,Kt,Mt+bt,Kt+ct,O.DEPTH_BUFFER_BIT,O.NEAREST);ft.bindFramebuffer(O.READ_FRAMEBUFFER,null),ft.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else if(z!==0||b.isRenderTargetTexture||Lt.has(b)){let Jt=Lt.get(b),Ve=Lt.get(N);ft.bindFramebuffer(O.READ_FRAMEBUFFER,D),ft.bindFramebuffer(O.DRAW_FRAMEBUFFER,V);for(let Cn=0;Cn<_t;Cn++)Mi?O.framebufferTextureLayer(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Jt.__webglTexture,z,Yt+Cn):O.framebufferTexture2D(O.READ_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Jt.__webglTexture,z),$i?O.framebufferTextureLayer(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,Ve.__webglTexture,ut,we+Cn):O.framebufferTexture2D(O.DRAW_FRAMEBUFFER,O.COLOR_ATTACHMENT0,O.TEXTURE_2D,Ve.__webglTexture,ut),z!==0?O.blitFramebuffer(Tt,Ht,Tt+bt,Ht+ct,Mt,Kt,Mt+bt,Kt+ct,O.COLOR_BUFFER_BIT,O.NEAREST):$i?O.copyTexSubImage3D(wt,ut,Mt,Kt,we+Cn,Tt,Ht,bt,ct):O.copyTexSubImage2D(wt,ut,Mt,Kt,Tt,Ht,bt,ct);ft.bindFramebuffer(O.READ_FRAMEBUFFER,null),ft.bindFramebuffer(O.DRAW_FRAMEBUFFER,null)}else $i?b.isDataTexture||b.isData3DTexture?O.texSubImage3D(wt,ut,Mt,Kt,we,bt,ct,_t,he,Xe,de.data):N.isCompressedArrayTexture?O.compressedTexSubImage3D(wt,ut,Mt,Kt,we,bt,ct,_t,he,de.data):O.texSubImage3D(wt,ut,Mt,Kt,we,bt,ct,_t,he,Xe,de):b.isDataTexture?O.texSubImage2D(O.TEXTURE_2D,ut,Mt,Kt,bt,ct,he,Xe,de.data):b.isCompressedTexture?O.compressedTexSubImage2D(O.TEXTURE_2D,ut,Mt,Kt,de.width,de.height,he,de.data):O.texSubImage2D(O.TEXTURE_2D,ut,Mt,Kt,bt,ct,he,Xe,de);ft.pixelStorei(O.UNPACK_ROW_LENGTH,Ze),ft.pixelStorei(O.UNPACK_IMAGE_HEIGHT,jt),ft.pixelStorei(O.UNPACK_SKIP_PIXELS,Xi),ft.pixelStorei(O.UNPACK_SKIP_ROWS,$e),ft.pixelStorei(O.UNPACK_SKIP_IMAGES,ta),ut===0&&N.generateMipmaps===!0&&N.mipmapsAutoUpdate===!0&&O.generateMipmap(wt),ft.unbindTexture()},this.initRenderTarget=function(b){Lt.get(b).__webglFramebuffer===void 0&&Ft.setupRenderTarget(b)},this.initTexture=function(b){b.isCubeTexture?Ft.setTextureCube(b,0):b.isData3DTexture?Ft.setTexture3D(b,0):b.isDataArrayTexture||b.isCompressedArrayTexture?Ft.setTexture2DArray(b,0):Ft.setTexture2D(b,0),ft.unbindTexture()},this.resetState=function(){q=0,G=0,nt=null,ft.reset(),ot.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return wn}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorSpace=Zt._getDrawingBufferColorSpace(t),e.unpackColorSpace=Zt._getUnpackColorSpace()}};var dd={light:{ground:"#f1f3f6",line:"#d9dde4",meter:"#b9bec8",text:"#696e78",path:"#777c87",target:"#c2185b",way:"#96409f",obstacle:"#9c7a42",earth:"#a3ae8a",select:"#b08400",shadow:.3},dark:{ground:"#202329",line:"#343840",meter:"#4d535e",text:"#9aa1ad",path:"#767d89",target:"#ff6fa3",way:"#cf8ad8",obstacle:"#b8935a",earth:"#7d8a66",select:"#ffd23f",shadow:.5}};function Fi(n){if(n.tints){let[s,r,o]=n.tints;return[new Rt(s),new Rt(r),new Rt(o)]}let t=new Rt(n.color),e=t.clone().lerp(new Rt("#000000"),.38),i=t.clone().lerp(new Rt("#ffffff"),.42);return[t,e,i]}function Ao(){return matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light"}function as(n){return{positions:new Float32Array(n*3),rotations:new Float32Array(n*4)}}function jw(n,t,e,i,s,r){let o=n[t],a=n[t+1],l=n[t+2],c=n[t+3],h=e[i],u=e[i+1],d=e[i+2],f=2*(l*d-c*u),p=2*(c*h-a*d),x=2*(a*u-l*h);s[r]=s[r]+h+o*f+l*x-c*p,s[r+1]=s[r+1]+u+o*p+c*f-a*x,s[r+2]=s[r+2]+d+o*x+a*p-l*f}function Qw(n,t,e,i,s,r){let o=n[t],a=n[t+1],l=n[t+2],c=n[t+3],h=e[i],u=e[i+1],d=e[i+2],f=e[i+3];s[r]=o*h-a*u-l*d-c*f,s[r+1]=o*u+a*h+l*f-c*d,s[r+2]=o*d-a*f+l*h+c*u,s[r+3]=o*f+a*d-l*u+c*h}function tE(n,t){let e=new Set;for(let i of t)for(;i>0&&!e.has(i);i=n.parents[i])e.add(i);return[...e].sort((i,s)=>i-s)}function ls(n,t,e,i,s){let{positions:r,rotations:o}=i;r.set(t.root,0),o.set(t.quats.subarray(0,4),0);let a=s?.length??n.parents.length-1;for(let l=0;l<a;l++){let c=s?.[l]??l+1,h=n.parents[c];for(let f=0;f<3;f++)r[c*3+f]=r[h*3+f];let u=e.length>0?e.indexOf(c):-1,d=u<0?n.offsets:t.moves;jw(o,h*4,d,(u<0?c:u)*3,r,c*3),Qw(o,h*4,t.quats,c*4,o,c*4)}}function ki(n,t,e,i=1){let s=Math.ceil(t.total/i),r=new Float32Array(s*e.length*3),o=t.newPose(),a=as(t.nJoints),l=tE(n,e);for(let c=0;c<s;c++)t.sample(c*i,o,l),ls(n,o,t.moved,a,l),e.forEach((h,u)=>{r.set(a.positions.subarray(h*3,h*3+3),(c*e.length+u)*3)});return r}var fc=class n{constructor(t,e){this.nJoints=e;this.who=t.who,this.fps=t.fps,this.moved=t.moved??[],this.splice(t)}nJoints;who;fps;total=0;moved;quats=new Int16Array(0);root=new Float32Array(0);moves=new Float32Array(0);contacts={};version=0;splice(t){let e=t.total!==this.total,i=t.total;this.fps=t.fps,this.quats=dc(this.quats,i*this.nJoints*4,e,Int16Array),this.root=dc(this.root,i*3,e,Float32Array),this.moves=dc(this.moves,i*this.moved.length*3,e,Float32Array),this.quats.set(t.quats.subarray(0,t.n*this.nJoints*4),t.first*this.nJoints*4),this.root.set(t.root.subarray(0,t.n*3),t.first*3),t.moves&&this.moves.set(t.moves,t.first*this.moved.length*3);for(let s of new Set([...Object.keys(this.contacts),...Object.keys(t.contacts)])){let r=dc(this.contacts[s]??new Uint8Array(0),i,e,Uint8Array),o=t.contacts[s];o?r.set(o.subarray(0,t.n),t.first):r.fill(0,t.first,t.first+t.n),this.contacts[s]=r}this.total=i,this.version++}asPart(){return{who:this.who,fps:this.fps,total:this.total,first:0,n:this.total,quats:this.quats,root:this.root,moved:this.moved,moves:this.moves,contacts:this.contacts,quality:"final",rev:0}}clone(){return new n(this.asPart(),this.nJoints)}newPose(){return{quats:new Float32Array(this.nJoints*4),root:new Float32Array(3),moves:new Float32Array(this.moved.length*3)}}sample(t,e,i){if(this.total===0)return;let s=Math.min(Math.max(t,0),this.total-1),r=Math.floor(s),o=Math.min(r+1,this.total-1),a=s-r;Ym(this.root,r*3,o*3,a,e.root);let l=this.moved.length*3;l>0&&Ym(this.moves,r*l,o*l,a,e.moves);let c=this.nJoints*4,h=i?.length??this.nJoints-1;for(let u=-1;u<h;u++){let d=u<0?0:i?.[u]??u+1;eE(this.quats,r*c+d*4,o*c+d*4,a,e.quats,d*4)}}bears(t,e){let i=this.contacts[t];return i!==void 0&&i[Math.min(Math.max(Math.round(e),0),this.total-1)]===1}};function dc(n,t,e,i){if(!e&&n.length===t)return n;let s=new i(t);return s.set(n.subarray(0,Math.min(n.length,t))),s}function Ym(n,t,e,i,s){for(let r=0;r<s.length;r++){let o=n[t+r];s[r]=o+i*(n[e+r]-o)}}function eE(n,t,e,i,s,r){let o=0;for(let f=0;f<4;f++)o+=n[t+f]*n[e+f];let a=o<0?-1:1,l=Math.min(Math.abs(o)/(32767*32767),1),c=1-i,h=i;if(l<.9995){let f=Math.acos(l),p=Math.sin(f);c=Math.sin(c*f)/p,h=Math.sin(h*f)/p}h*=a;let u=0;for(let f=0;f<4;f++){let p=c*n[t+f]+h*n[e+f];s[r+f]=p,u+=p*p}let d=1/Math.sqrt(u||1);for(let f=0;f<4;f++)s[r+f]=s[r+f]*d}var pc=class extends Hr{constructor(e,i){super(Array.from({length:e.positions.length/3},()=>new Vs));this.skin=e;this.world=i;this.computeBoneTexture()}skin;world;dirty=!0;changed(){this.dirty=!0}update(){if(!this.dirty)return;this.dirty=!1;let e=this.skin.positions.length/3;for(let i=0;i<e;i++)this.write(i);this.boneTexture&&(this.boneTexture.needsUpdate=!0)}write(e){let{rotations:i,positions:s}=this.world,{rotations:r,positions:o}=this.skin,a=e*4,[l,c,h,u]=[i[a],i[a+1],i[a+2],i[a+3]],[d,f,p,x]=[r[a],r[a+1],r[a+2],r[a+3]],m=l*d+c*f+h*p+u*x,g=-l*f+c*d-h*x+u*p,v=-l*p+c*x+h*d-u*f,M=-l*x-c*p+h*f+u*d,S=this.boneMatrices,T=e*16;S[T]=1-2*(v*v+M*M),S[T+1]=2*(g*v+m*M),S[T+2]=2*(g*M-m*v),S[T+4]=2*(g*v-m*M),S[T+5]=1-2*(g*g+M*M),S[T+6]=2*(v*M+m*g),S[T+8]=2*(g*M+m*v),S[T+9]=2*(v*M-m*g),S[T+10]=1-2*(g*g+v*v),S[T+15]=1;let A=e*3,[y,w,L]=[o[A],o[A+1],o[A+2]];for(let I=0;I<3;I++){let U=S[T+I]*y+S[T+4+I]*w+S[T+8+I]*L;S[T+12+I]=s[A+I]-U}}};function Km(n,t){let e=new oe;return e.setAttribute("position",new Qt(t.vertices,3)),e.setAttribute("skinIndex",new Qt(t.joints,4)),e.setAttribute("skinWeight",new Qt(t.weights,4)),e.setIndex(new Qt(t.faces,1)),e.setAttribute("color",new Qt(nE(n,t),3)),e.computeVertexNormals(),e}function nE(n,t){let[e,i,s]=Fi(n),r=new Map([[0,e],[1,i],[-1,s]]),o=t.vertices.length/3,a=new Float32Array(o*3);for(let l=0;l<o;l++){let c=t.joints[l*4];(r.get(n.sides[c]??0)??e).toArray(a,l*3)}return a}function fd(n){return n?new On({color:n.color,transparent:!0,opacity:n.opacity,depthWrite:!1}):new On({vertexColors:!0})}var Co=class{constructor(t,e,i){this.character=t;this.world=as(t.parents.length),this.mesh=null,this.skeleton=null,!(t.skin===null||e===null)&&(this.skeleton=new pc(t.skin,this.world),this.mesh=new zr(e,i),this.mesh.bindMode="detached",this.mesh.bind(this.skeleton,new kt),this.mesh.frustumCulled=!1)}character;mesh;world;skeleton;pose=null;shown="";show(t,e){let i=`${String(t.version)}/${String(e)}`;return i===this.shown||t.total===0?!1:(this.shown=i,this.pose??=t.newPose(),t.sample(e,this.pose),ls(this.character,this.pose,t.moved,this.world),this.skeleton?.changed(),!0)}setTranslucent(t){let e=this.mesh?.material;e&&(e.transparent=t<1,e.opacity=t,e.needsUpdate=!0)}reset(){this.pose=null,this.shown=""}dispose(){this.skeleton?.dispose()}};function nr(n){let{skin:t}=n;if(!t||t.vertices.length===0)return 1.75;let[e,i]=[1/0,-1/0];for(let s=1;s<t.vertices.length;s+=3)e=Math.min(e,t.vertices[s]),i=Math.max(i,t.vertices[s]);return Math.max(i-e,.1)}var iE=`attribute vec2 corner; attribute float dark; varying vec2 at; varying float ink;
void main() { at = corner; ink = dark;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`,sE=`varying vec2 at; varying float ink;
void main() { float r = 1.0 - min(length(at), 1.0); gl_FragColor = vec4(0.0, 0.0, 0.0, ink * r * r); }`,pd=[-1,-1,1,-1,-1,1,1,1],rE=[["hips",.55,.75,3],["left_foot",.2,.9,.6],["right_foot",.2,.9,.6]],mc=class{constructor(t,e,i){this.strength=e;this.height=i;let s=nr(t)/1.75;for(let[c,h,u,d]of rE){let f=t.roles[c];f!==void 0&&this.spots.push({joint:f,radius:s*h,dark:u,gone:s*d})}let r=this.spots.length,o=new oe;o.setAttribute("position",new Qt(new Float32Array(r*12),3)),o.setAttribute("dark",new Qt(new Float32Array(r*4),1));let a=Array.from({length:r},()=>pd).flat();o.setAttribute("corner",new Qt(new Float32Array(a),2)),o.setIndex(this.spots.flatMap((c,h)=>[0,2,1,1,2,3].map(u=>4*h+u)));let l=new Tn({vertexShader:iE,fragmentShader:sE,transparent:!0,depthWrite:!1,polygonOffset:!0,polygonOffsetFactor:-1});this.mesh=new le(o,l),this.mesh.frustumCulled=!1}strength;height;mesh;spots=[];paint(t,e){this.strength=t,this.height=e}show(t){let{position:e,dark:i}=this.mesh.geometry.attributes;this.spots.forEach((s,r)=>{let[o,a,l]=[0,1,2].map(u=>t[s.joint*3+u]),c=this.height(o,l),h=s.dark*this.strength*Math.max(1-Math.max(a-c,0)/s.gone,0);for(let u=0;u<4;u++){let[d,f]=[pd[2*u],pd[2*u+1]];e?.setXYZ(4*r+u,o+d*s.radius,c+.003,l+f*s.radius),i?.setX(4*r+u,h)}}),e&&(e.needsUpdate=!0),i&&(i.needsUpdate=!0)}dispose(){this.mesh.geometry.dispose(),this.mesh.material.dispose()}};var gc=1.2,Zm=160,oE=["left_foot","right_foot","left_hand","right_hand"],yc=class{constructor(t){this.character=t;let e=oE.map(l=>t.roles[l]).filter(l=>l!==void 0);this.joints=e;let[i,s,r]=Fi(t);this.colors=e.map(l=>{let c=t.sides[l]??0;return c>0?s:c<0?r:i}),this.world=as(t.parents.length);let o=Zm*2*e.length,a=new oe;a.setAttribute("position",new Qt(new Float32Array(o*3),3)),a.setAttribute("color",new Qt(new Float32Array(o*4),4)),this.lines=new Nn(a,new En({vertexColors:!0,transparent:!0})),this.lines.frustumCulled=!1,this.lines.visible=!1}character;lines;joints;colors;pose=null;world;show(t,e){if(!this.lines.visible)return;let i=Math.max(2*gc*t.fps/Zm,1),s=Math.max(e-gc*t.fps,0),r=Math.min(e+gc*t.fps,t.total-1);this.pose=this.pose?.moves.length===t.moved.length*3?this.pose:t.newPose();let o=null,a=0;for(let l=s;l<=r;l+=i)t.sample(l,this.pose),ls(this.character,this.pose,t.moved,this.world),o&&(a=this.segment(o,l,e,a,gc*t.fps)),o=this.world.positions.slice();this.lines.geometry.setDrawRange(0,a);for(let l of["position","color"]){let c=this.lines.geometry.getAttribute(l);c.needsUpdate=!0}}segment(t,e,i,s,r){let o=this.lines.geometry.getAttribute("position"),a=this.lines.geometry.getAttribute("color"),l=.9*Math.max(1-Math.abs(e-i)/r,0);return this.joints.forEach((c,h)=>{let{r:u,g:d,b:f}=this.colors[h];for(let p of[t,this.world.positions]){if(s>=o.count)return;o.setXYZ(s,p[c*3]??0,p[c*3+1]??0,p[c*3+2]??0),a.setXYZW(s,u,d,f,l),s++}}),s}dispose(){this.lines.geometry.dispose(),this.lines.material.dispose()}};function gd(n,t){let e=new oe;return e.setAttribute("position",new Qt(new Float32Array(n),3)),e.setIndex(t),e.computeVertexNormals(),e}function Po(n,t){let e=n.length/3,i=[],s=[],r=1,o=0;for(let a=0;a<e;a++){let l=Math.max(a-1,0)*3,c=Math.min(a+1,e-1)*3,h=Number(n[c])-Number(n[l]),u=Number(n[c+2])-Number(n[l+2]),d=Math.hypot(h,u);d>1e-6&&([r,o]=[u/d,-h/d]);let[f,p,x]=[Number(n[a*3]),Number(n[a*3+1]),Number(n[a*3+2])];i.push(f-r*t/2,p,x-o*t/2),i.push(f+r*t/2,p,x+o*t/2),a>0&&s.push(2*a-2,2*a,2*a-1,2*a-1,2*a,2*a+1)}return gd(i,s)}function Ro(n,t=6){let e=new so(n,t),i=e.getAttribute("position");for(let r=0;r<i.count;r++)i.setXYZ(r,i.getX(r),0,i.getY(r));let s=e.getIndex();if(s)for(let r=0;r<s.count;r+=3){let o=s.getX(r);s.setX(r,s.getX(r+1)),s.setX(r+1,o)}return e.computeVertexNormals(),e}function yd(n,t,e){let i=new ts;return i.moveTo(-t/2,0),i.lineTo(-t/2,n-e),i.lineTo(-e*.55,n-e),i.lineTo(0,n),i.lineTo(e*.55,n-e),i.lineTo(t/2,n-e),i.lineTo(t/2,0),i}function Jm(){let n=new ts;return n.moveTo(0,-.5),n.bezierCurveTo(.17,-.5,.17,-.3,.15,-.1),n.bezierCurveTo(.14,.05,.2,.15,.19,.3),n.bezierCurveTo(.17,.52,-.17,.52,-.19,.3),n.bezierCurveTo(-.2,.15,-.14,.05,-.15,-.1),n.bezierCurveTo(-.17,-.3,-.17,-.5,0,-.5),n}function xd(n,t,e){let i=[],s=[],r=(o,a,l)=>i.push(o,a,l)/3-1;n.forEach(([o,a],l)=>{let[c,h]=n[(l+1)%n.length],[u,d,f,p]=[r(o,t,a),r(c,t,h),r(c,e,h),r(o,e,a)];s.push(u,p,d,d,p,f)});for(let[o,a]of[[t,!1],[e,!0]]){let l=n.map(([c,h])=>r(c,o,h));for(let c=1;c+1<l.length;c++){let h=[l[0],l[c],l[c+1]];s.push(...a?h.reverse():h)}}return gd(i,s)}function _d(n){let t=[],e=[];for(let i=0;i+1<n.length;i++){let s=n[i]??[],r=n[i+1]??[];for(let o=0;o+1<s.length;o++){let a=t.length/3;for(let l of[s[o],s[o+1],r[o],r[o+1]])t.push(...l??[0,0,0]);e.push(a,a+2,a+1,a+1,a+2,a+3)}}return gd(t,e)}var aE=2e3,lE=3e3,cE=16,jm=.005,hE=.27,uE=.18;function _c(n,t){return n.roles[t]??n.names.indexOf(t)}function vd(n){let t=[],e=-1;for(let i=0;i<=n.length;i++)n[i]===1&&e<0&&(e=i),n[i]!==1&&e>=0&&(t.push([e,i-1]),e=-1);return t}function dE(n,t){let e=t.newPose(),i=as(t.nJoints),s=[];for(let[r,o]of Object.entries(t.contacts)){let a=_c(n,r);if(!(a<0))for(let[l,c]of vd(o))t.sample(Math.round((l+c)/2),e),ls(n,e,t.moved,i),s.push({foot:r,side:n.sides[a]??0,first:l,last:c,...fE(n,a,i.positions)})}return s.slice(0,lE)}function fE(n,t,e){let i=n.parents.findIndex((h,u)=>h===t&&u>0),[s,r,o]=[e[t*3],e[t*3+1],e[t*3+2]];if(i<0)return{place:[s,r,o],heading:Qm(n,e)};let a=e[i*3]-s,l=e[i*3+2]-o;return Math.hypot(a,l)<.03?{place:[s,r,o],heading:Qm(n,e)}:{place:[s+.5*a,r,o+.5*l],heading:Math.atan2(a,l)}}function Qm(n,t){let{left_hip:e,right_hip:i}=n.roles;if(e===void 0||i===void 0)return 0;let s=t[e*3]-t[i*3],r=t[e*3+2]-t[i*3+2];return Math.atan2(-r,s)}var xc=class{constructor(t,e,i){this.character=t;this.palette=e;this.height=i;this.colors=Fi(t),this.size=nr(t)/1.75,this.now=tg(4),this.now.count=0,this.path.frustumCulled=!1,this.group.add(this.now,this.path)}character;palette;height;group=new ye;path=new le(new oe,new nn);prints=[];faint=null;room=0;now;colors;size;rebuild(t,e,i){this.palette=e,this.height=i,this.prints=t.total<1?[]:dE(this.character,t),this.now.count=0,this.layPath(t),this.layPrints()}layPrints(){let t=this.prints.length;(t>this.room||this.faint===null)&&(this.dropPrints(),this.room=t+cE,this.faint=tg(this.room),this.group.add(this.faint));let{faint:e}=this;e.count=t,this.prints.forEach((i,s)=>{this.place(e,s,i,.65)}),e.instanceMatrix.needsUpdate=!0,e.instanceColor&&(e.instanceColor.needsUpdate=!0)}show(t){let e=Math.round(t),i=this.prints.filter(s=>s.first<=e&&e<=s.last).slice(0,4);this.now.count=i.length,i.forEach((s,r)=>{this.place(this.now,r,s,0)}),this.now.instanceMatrix.needsUpdate=!0,this.now.instanceColor&&(this.now.instanceColor.needsUpdate=!0)}layPath(t){let e=this.character.roles.hips??0,i=Math.max(Math.ceil(t.total/aE),1),s=ki(this.character,t,[e],i);for(let r=0;r<s.length;r+=3)s[r+1]=this.height(s[r],s[r+2])+jm;this.path.geometry.dispose(),this.path.geometry=Po(pE(s,.04),.013),this.path.material.color.set(this.palette.path)}place(t,e,i,s){let[r,o,a]=i.place,l=new C(r,this.under(r,o,a,i)+(s>0?.8:1.6)*jm,a),c=new Qe().setFromAxisAngle(new C(0,1,0),i.heading),h=hE*this.size*(1-.15*s);t.setMatrixAt(e,new kt().compose(l,c,new C(h,1,h)));let[u,d,f]=this.colors,p=i.side>0?d:i.side<0?f:u;t.setColorAt(e,p.clone().lerp(new Rt(this.palette.ground),s))}under(t,e,i,s){let r=this.height(t,i),o=_c(this.character,s.foot),a=this.character.skin?.positions[o*3+1]??0;return e-a>r+uE?e-a:r}dropPrints(){this.faint!==null&&(this.group.remove(this.faint),eg(this.faint),this.faint=null)}dispose(){this.dropPrints(),eg(this.now),this.path.geometry.dispose(),this.path.material.dispose()}};function pE(n,t){let e=[];for(let i=0;i<n.length;i+=3){let[s,r,o]=n.subarray(i,i+3);(Math.hypot(s-(e.at(-3)??1/0),o-(e.at(-1)??1/0))>=t||i+3>=n.length)&&e.push(s,r,o)}return e}function tg(n){let t=new ji(Ro(Jm(),5),new nn,n);return t.frustumCulled=!1,t}function eg(n){n.geometry.dispose(),n.material.dispose(),n.dispose()}var Io=class{constructor(t,e,i){this.character=t;this.palette=e;this.height=i;let{skin:s,shift:r}=t;this.geometry=s?Km(t,s):null,this.body=new Co(t,this.geometry,fd()),this.trail=new xc(t,e,i),this.shadow=new mc(t,e.shadow,i),this.traces=new yc(t),this.group.add(this.trail.group,this.shadow.mesh,this.traces.lines),this.body.mesh&&this.group.add(this.body.mesh),r&&this.group.position.set(...r),this.group.visible=!1}character;palette;height;group=new ye;body;trail;track=null;shadow;traces;geometry;ghost=null;setMotion(t){let e=this.track!==null&&this.track.moved.join()===(t.moved??[]).join();return this.track!==null&&e?this.track.splice(t):(this.track=new fc(t,this.character.parents.length),this.body.reset()),this.group.visible=this.track.total>0,this.trail.rebuild(this.track,this.palette,this.height),this.track}setGhost(t){if(this.ghost?.body.mesh&&this.group.remove(this.ghost.body.mesh),this.ghost?.body.dispose(),this.ghost=null,t===null)return;let e=fd({color:this.palette.text,opacity:.28}),i=new Co(this.character,this.geometry,e);i.mesh&&(i.mesh.renderOrder=2,this.group.add(i.mesh)),this.ghost={track:t,body:i}}setTraces(t){this.traces.lines.visible=t}frameAt(t,e){return e===null||this.track===null||this.track.fps===e?t:t/e*this.track.fps}show(t){this.track!==null&&(this.body.show(this.track,t)&&(this.trail.show(Math.min(t,this.track.total-1)),this.shadow.show(this.body.world.positions),this.traces.show(this.track,t)),this.ghost?.body.show(this.ghost.track,t))}jointAt(t){let e=this.body.world.positions,i=[e[t*3]??0,e[t*3+1]??0,e[t*3+2]??0];return new C(...i).add(this.group.position)}get center(){return this.jointAt(this.character.roles.hips??0)}landmarks(){if(this.track===null)return[];let t=this.character.roles.hips??0,e=Math.max(Math.floor(this.track.total/200),1),i=ki(this.character,this.track,[t],e),s=nr(this.character),[r,o]=[.55*s,.28*s],a=[];for(let l=0;l<i.length;l+=3){let c=new C(i[l],i[l+1],i[l+2]).add(this.group.position);for(let[h,u]of[[o,0],[-o,0],[0,o],[0,-o]])a.push(new C(c.x+h,c.y+r,c.z+u),new C(c.x+h,c.y-r,c.z+u))}return a}paint(t,e){this.palette=t,this.height=e,this.shadow.paint(t.shadow,e),this.track!==null&&(this.trail.rebuild(this.track,t,e),this.trail.show(0),this.body.reset())}dispose(){this.setGhost(null),this.trail.dispose(),this.shadow.dispose(),this.traces.dispose(),this.body.dispose(),this.geometry?.dispose()}};function ng(n){return n.length===0?null:n.reduce((e,i)=>e.add(i.center),new C).divideScalar(n.length)}var vc=10,bd=26,Sd=7,bc=class{constructor(t){this.palette=t;this.lines=new Nn(new oe,new En({vertexColors:!0,depthWrite:!1})),this.lines.renderOrder=-2,this.numbers=new le(new oe,new nn({transparent:!0,depthWrite:!1,map:xE()})),this.numbers.renderOrder=-1;for(let e of[this.lines,this.numbers])e.frustumCulled=!1;this.group.add(this.lines,this.numbers),this.paint(t)}palette;group=new ye;lines;numbers;key="";paint(t){this.palette=t,this.numbers.material.color.set(t.text),this.key=""}follow(t,e){let i=e<14?1:e<45?5:10,[s,r]=[t.x,t.z].map(a=>Math.round(a/i/2)*i*2),o=[s,r,i].join();o!==this.key&&(this.key=o,this.rule(s,r,i),this.number(s,r,i))}rule(t,e,i){let s=bd*i,r=[],o=[],a=(c,h,u,d,f)=>{for(let p=-u;p<u-1e-6;p+=d){for(let x of[p,p+d]){let m=this.inkAt(c,Math.hypot(h,x),f);r.push(t+h,0,e+x),o.push(m.r,m.g,m.b)}for(let x of[p,p+d]){let m=this.inkAt(c,Math.hypot(h,x),f);r.push(t+x,0,e+h),o.push(m.r,m.g,m.b)}}},l=Sd*i;for(let c=-Sd;c<Sd;c++)a("line",(c+.5)*i,l,l/3.5,1.1*l);for(let c=-bd;c<=bd;c++)a("meter",c*i,s,s/6.5,s);mE(this.lines.geometry,r,o)}inkAt(t,e,i){let s=Math.min(Math.max(e/i-.15,0)/.85,1);return new Rt(this.palette[t]).lerp(new Rt(this.palette.ground),s*(2-s))}number(t,e,i){let s=[];for(let h=-vc;h<=vc;h++){let u=d=>(Math.round(d/i)+h)*i;Math.abs(t)<=vc*i&&s.push([0,u(e),u(e)]),Math.abs(e)<=vc*i&&u(t)!==0&&s.push([u(t),0,u(t)])}let r=.13*Math.sqrt(i)*(i>1?1.6:1),o=[],a=[],l=[];for(let[h,u,d]of s.filter(([,,f])=>Math.abs(f)<=99)){let f=o.length/3,[p,x]=yE(d);for(let[m,g]of[[0,0],[1,0],[0,1],[1,1]])o.push(h+(2*m+.2)*r,.001,u+(.9-g)*r),a.push(p+m*ig,x+g*sg);l.push(f,f+1,f+2,f+1,f+3,f+2)}let{geometry:c}=this.numbers;c.setAttribute("position",new Qt(new Float32Array(o),3)),c.setAttribute("uv",new Qt(new Float32Array(a),2)),c.setIndex(l)}};function mE(n,t,e){n.setAttribute("position",new Qt(new Float32Array(t),3)),n.setAttribute("color",new Qt(new Float32Array(e),3))}var Lo=10,gE=20,ig=1/Lo,sg=1/gE;function yE(n){let t=n+99;return[t%Lo*ig,1-(Math.floor(t/Lo)+1)*sg]}function xE(){let n=document.createElement("canvas");n.width=640,n.height=640;let t=n.getContext("2d");if(t){t.font="600 28px system-ui, sans-serif",t.textBaseline="middle",t.fillStyle="#ffffff";for(let i=-99;i<=99;i++){let s=i+99;t.fillText(String(i),s%Lo*64+3,Math.floor(s/Lo)*32+17)}}let e=new Wr(n);return e.anisotropy=4,e}var _E=[0,1,-1,2,-2],vE=(n,t)=>n.x<t.x+t.width&&t.x<n.x+n.width&&n.y<t.y+t.height&&t.y<n.y+n.height;function rg(n){let t=[];return n.map(e=>{for(let i of _E){let s=i*e.height,r={...e,y:e.y+s};if(!t.some(o=>vE(o,r)))return t.push(r),s}return null})}var Sc=class{layer;labels=new Map;constructor(t){this.layer=document.createElement("div"),this.layer.className="labels",this.layer.setAttribute("aria-hidden","true"),t.append(this.layer)}set(t,e,i,s="target"){let{element:r,size:o}=this.labels.get(t)??this.added(),a=r.textContent===e,l=`label label-${s}`;r.className!==l&&(r.className=l),a||(r.textContent=e);let c=s==="target"||s==="ring";this.labels.set(t,{element:r,place:i,isShy:c,size:a?o:null})}added(){let t=document.createElement("span");return this.layer.append(t),{element:t,size:null}}remove(t){this.labels.get(t)?.element.remove(),this.labels.delete(t)}removeAll(t){for(let e of[...this.labels.keys()])e.startsWith(t)&&this.remove(e)}update(t,e,i){let s=[];for(let o of this.labels.values()){let{element:a,place:l}=o,c=l()?.project(t),h=c!==void 0&&c.z<1&&Math.abs(c.x)<1.1&&Math.abs(c.y)<1.1;if((!o.isShy||!h)&&Md(a,h),!h)continue;let u=(c.x+1)/2*e,d=(1-c.y)/2*i;o.isShy?s.push({label:o,x:u,y:d}):og(a,u,d)}let r=s.map(({label:o,x:a,y:l})=>(o.size===null&&(Md(o.element,!0),o.size=[o.element.offsetWidth,o.element.offsetHeight]),{x:a,y:l,width:o.size[0],height:o.size[1]}));rg(r).forEach((o,a)=>{let{label:l,x:c,y:h}=s[a];Md(l.element,o!==null),o!==null&&og(l.element,c,h+o)})}};function og(n,t,e){let i=`translate(${t.toFixed(1)}px, ${e.toFixed(1)}px)`;n.style.transform!==i&&(n.style.transform=i)}function Md(n,t){n.hidden===t&&(n.hidden=!t)}var bE=13,SE=18,Mc=class{constructor(t,e){this.camera=t;this.element=e}camera;element;caster=new uo;plane=new We(new C(0,1,0),0);project(t){let e=t.clone().project(this.camera),{clientWidth:i,clientHeight:s}=this.element;return new C((e.x+1)/2*i,(1-e.y)/2*s,e.z)}aim(t,e){let i=this.element.getBoundingClientRect(),s=new dt((t-i.left)/i.width*2-1,1-(e-i.top)/i.height*2);return this.caster.setFromCamera(s,this.camera),this.caster}level(t,e,i=0){return this.plane.constant=-i,this.aim(t,e).ray.intersectPlane(this.plane,new C)}ground(t,e,i){let[s]=this.aim(t,e).intersectObjects(i,!0);return s?.point??this.level(t,e)}drawables(t,e,i){let s=new Map;for(let{object:r,point:o}of this.aim(t,e).intersectObjects(i,!0)){let a=ME(r);a!==null&&!s.has(a)&&s.set(a,o)}return[...s].map(([r,o])=>({kind:"drawable",id:r,point:o}))}joint(t,e,i){let s=this.element.getBoundingClientRect(),r=new dt(t-s.left,e-s.top),o=null,a=bE;for(let l of i)l.group.visible&&l.character.names.forEach((c,h)=>{let u=l.jointAt(h),d=this.project(u),f=Math.hypot(d.x-r.x,d.y-r.y);d.z>1||f>=a||(a=f,o={kind:"joint",who:l.character.id,joint:h,name:c,point:u})});return o}body(t,e,i){let s=this.element.getBoundingClientRect(),r=new dt(t-s.left,e-s.top),o=null,a=SE;for(let l of i)l.group.visible&&l.character.parents.forEach((c,h)=>{if(c<0)return;let u=l.jointAt(h),d=wE(r,this.project(l.jointAt(c)),this.project(u));d>=a||(a=d,o={kind:"body",who:l.character.id,point:u})});return o}};function ME(n){let t=n;for(;t;){let{id:e}=t.userData;if(typeof e=="string")return e;t=t.parent}return null}function wE(n,t,e){if(t.z>1||e.z>1)return 1/0;let[i,s]=[e.x-t.x,e.y-t.y],r=i*i+s*s,o=r>0?Math.min(Math.max(((n.x-t.x)*i+(n.y-t.y)*s)/r,0),1):0;return Math.hypot(n.x-t.x-o*i,n.y-t.y-o*s)}var wd=(n,t)=>n.landing===void 0||n.landing===null?t:Number(n.landing);function yi(n){return["heightmap","slope","stairs"].includes(n.kind)}function EE(n,t,e,i){let s=t*Math.PI/180,r=e-n[0],o=i-n[1];return[r*Math.sin(s)+o*Math.cos(s),r*Math.cos(s)-o*Math.sin(s)]}function ag(n,t,e){let i=n.start??[0,0],s=Number(n.heading??0),r=n.width===void 0||n.width===null?1/0:Number(n.width)/2,o=t+wd(n,1/0);return(a,l)=>{let[c,h]=EE(i,s,a,l);return Math.abs(h)<=r&&c<=o?e(c):0}}function TE(n){let t=n.length===void 0||n.length===null?1/0:Number(n.length),e=Math.tan(Number(n.steepness??0)*Math.PI/180);return ag(n,t,i=>e*Math.min(Math.max(i,0),t))}function AE(n){let t=Number(n.tread??.3),e=Number(n.steps??1),i=Number(n.rise??.17),s=r=>Math.min(Math.max(Math.floor(r/t)+1,0),e);return ag(n,t*(e-1),r=>i*s(r))}function CE(n){let t=n.heights??[[0]],e=n.origin??[0,0],i=Number(n.cell??.25),s=t.length,r=t[0]?.length??0;return(o,a)=>{let l=(o-e[0])/i,c=(a-e[1])/i;if(l<0||c<0||l>r-1||c>s-1)return 0;let h=Math.min(Math.floor(c),s-2),u=Math.min(Math.floor(l),r-2),d=(g,v)=>t[g]?.[v]??0,f=c-h,p=l-u,x=d(h,u)*(1-p)+d(h,u+1)*p,m=d(h+1,u)*(1-p)+d(h+1,u+1)*p;return x*(1-f)+m*f}}function Do(n){let t={slope:TE,stairs:AE,heightmap:CE},e=[];for(let i of n){let s=t[i.kind];s&&e.push(s(i))}return(i,s)=>e.reduce((r,o)=>r+o(i,s),0)}var IE=1.9,lg=40,LE=90;function cg(n){let t=Number(n.bottom??0),e=n.top===void 0||n.top===null?Math.max(IE,t+.1):Number(n.top);return[t,e]}function DE(n){let[t,e]=n.center,i=Number(n.radius),s=Array.from({length:lg},(r,o)=>{let a=2*Math.PI*o/lg;return[t+i*Math.cos(a),e+i*Math.sin(a)]});return xd(s,...cg(n))}function hg(n,t,e,i){let s=t*Math.PI/180,[r,o]=[Math.sin(s),Math.cos(s)];return[n[0]+e*o+i*r,n[1]-e*r+i*o]}function NE(n){let[t,e]=n.size,s=[[1,1],[-1,1],[-1,-1],[1,-1]].map(([r,o])=>hg(n.center,Number(n.angle??0),r*t/2,o*e/2));return xd(s,...cg(n))}function ug(n,t){let e=n.start??[0,0],i=Number(n.width??3)/2,s=Math.min(...t.map(([,a])=>a),0),r=(a,l,c)=>{let[h,u]=hg(e,Number(n.heading??0),a,l);return[h,c,u]},o=t.map(([a,l])=>[r(-i,a,s),r(-i,a,l),r(i,a,l),r(i,a,s)]);return _d(o)}function OE(n){let t=Number(n.length??20),e=t*Math.tan(Number(n.steepness??0)*Math.PI/180),i=[[0,0],[t,e]];return ug(n,typeof n.length=="number"?[...i,...dg(n,t,e,1.5)]:i)}function UE(n){let[t,e,i]=[Number(n.rise??.17),Number(n.tread??.3),Number(n.steps??1)],s=[[-e,0]];for(let r=0;r<i;r++)s.push([r*e,r*t],[r*e,(r+1)*t]);return ug(n,[...s,...dg(n,(i-1)*e,i*t,2*e)])}function dg(n,t,e,i){let s=t+wd(n,i);return typeof n.landing=="number"?[[s,e],[s,0]]:[[s,e]]}function FE(n){let t=n.heights??[[0]],[e,i]=n.origin??[0,0],s=Number(n.cell??.25),r=t[0]?.length??0,o=Do([n]),a=c=>{let h=Math.min(c,LE);return Array.from({length:h},(u,d)=>(c-1)*d/Math.max(h-1,1))},l=a(t.length).map(c=>a(r).map(h=>{let u=[e+h*s,i+c*s];return[u[0],o(...u),u[1]]}));return _d(l)}var kE={cylinder:DE,box:NE,slope:OE,stairs:UE,heightmap:FE};function fg(n){return kE[n.kind]?.(n)??null}var wc=.009,Ed=.2,BE=.3,pg=.045,zE=.25;function Ec(n,t,e){return t.selected?t.palette.select:typeof n.color=="string"?n.color:e}function ir(n,t,e=1){let i=new nn({color:t,opacity:e,transparent:!0,depthWrite:!1,side:on});return new le(n,i)}function Td(n){return new le(n,new nn({visible:!1,side:on}))}function HE(n,t){let[e,i]=n.position,s=new ye,r=Ec(n,t,t.palette.target),o=t.selected?1.25:1,a=ir(new io(Ed-.032*o,Ed,40).rotateX(-Math.PI/2),r),l=ir(new Qi(Ed,40).rotateX(-Math.PI/2),r,.16);if(s.add(l,a,Td(new Qi(BE,16).rotateX(-Math.PI/2))),typeof n.facing=="number"){let c=ir(Ro(yd(.5,.035,.13)),r);c.rotation.y=n.facing*Math.PI/180,c.position.y=.002,s.add(c)}return s.position.set(e,t.height(e,i)+wc,i),{object:s,anchor:s.position}}function GE(n,t){let e=new ye,i=Ec(n,t,t.palette.target),s=new On({color:i,transparent:!0,opacity:.8});e.add(new le(new Xn(t.selected?1.25*pg:pg,18,12),s)),e.add(Td(new Xn(.09,8,6)));let r=new C(...n.position);if(Array.isArray(n.velocity)){let a=new C(...n.velocity).multiplyScalar(zE);e.add(mg([new C,a],i))}let o=r.y-t.height(r.x,r.z);return e.add(mg([new C,new C(0,-o,0)],i,.45)),e.position.copy(r),{object:e,anchor:e.position}}function mg(n,t,e=1){let i=new En({color:t,transparent:!0,opacity:e}),s=new Nn(void 0,i);return s.geometry.setFromPoints(n),s}function VE(n,t){let e=new ye,i=Ec(n,t,t.palette.way),s=n.points??[],r=s.flatMap(([a,l])=>[a,t.height(a,l)+wc/2,l]);s.length>1&&(e.add(ir(Po(r,t.selected?.045:.03),i,.85)),e.add(Td(Po(r,.16))));for(let[a,l]of n.knots??[]){let c=ir(new Qi(.06,20).rotateX(-Math.PI/2),i);c.position.set(a,t.height(a,l)+wc,l),e.add(c)}let[o]=s;return{object:e,anchor:o?new C(o[0],wc,o[1]):null}}function No(n,t){let e=new ye,i=fg(n);if(i===null)return{object:e,anchor:null};let s=yi(n),r=Ec(n,t,s?t.palette.earth:t.palette.obstacle),o=new On({color:r,side:s?on:$n,flatShading:s,transparent:!s,opacity:s?1:.5,depthWrite:s,polygonOffset:!0,polygonOffsetFactor:1});e.add(new le(i,o));let a=new En({color:r,transparent:!0,opacity:s?.35:.9});n.kind!=="heightmap"&&e.add(new Nn(new qr(i,30),a));let l=WE(n);l!==null&&e.add(l),i.computeBoundingBox();let c=i.boundingBox,h=c?c.getCenter(new C).setY(c.max.y):null;return{object:e,anchor:h}}function WE(n){let t=$E(n);if(t===null)return null;let[e,i]=n.start??[0,0],s=Math.min(Math.hypot(t.far,t.high),3),r=ir(XE(s),"#ffffff",.85);return r.rotation.set(-Math.atan2(t.high,t.far),Number(n.heading??0)*Math.PI/180,0,"YXZ"),r.position.set(e,t.from+.05,i),r.renderOrder=1,r}var XE=n=>Ro(yd(n,.06,.25));function $E(n){if(n.kind==="stairs"){let[e,i,s]=[Number(n.rise??.17),Number(n.tread??.3),Number(n.steps??1)];return{far:i*s,high:e*s,from:e}}if(n.kind!=="slope")return null;let t=Number(n.length??3);return{far:t,high:t*Math.tan(Number(n.steepness??0)*Math.PI/180),from:0}}function qE(n){let t=new ye;return t.position.set(...n.position),{object:t,anchor:t.position}}var YE={ring:HE,point:GE,path:VE,note:qE,cylinder:No,box:No,slope:No,stairs:No,heightmap:No};function gg(n,t){let e=YE[n.kind];return e?e(n,t):{object:new ye,anchor:null}}function yg(n){n.object.traverse(t=>{(t instanceof le||t instanceof Nn)&&(t.geometry.dispose(),t.material.dispose())})}var Tc=class{constructor(t,e,i){this.labels=t;this.palette=e;this.shiftOf=i}labels;palette;shiftOf;group=new ye;height=()=>0;props=new Map;selected=null;ids(t=""){return[...this.props.keys()].filter(e=>e.startsWith(t))}get(t){return this.props.get(t)?.drawable??null}objectOf(t){return this.props.get(t)?.drawn.object??null}get handles(){return[...this.props.values()].map(({drawn:t})=>t.object)}get surfaces(){return[...this.props.values()].filter(({drawable:e})=>yi(e)).map(({drawn:e})=>e.object)}set(t,e){let i=this.props.get(t)?.drawable;return i&&JSON.stringify(i)===JSON.stringify(e)?!1:(this.drop(t),this.build(t,e),this.reground(yi(e)||i!==void 0&&yi(i)))}remove(t){let e=this.props.get(t)?.drawable;return e?(this.drop(t),this.labels.remove(`prop/${t}`),this.reground(yi(e))):!1}select(t){let e=[this.selected,t];this.selected=t;for(let i of e)i!==null&&this.rebuild(i)}paint(t){this.palette=t;for(let e of this.ids())this.rebuild(e)}landmarks(){let t=[];for(let{drawable:e,drawn:i}of this.props.values()){if(!["ring","point","path","note"].includes(e.kind))continue;let s=new en().setFromObject(i.object);s.isEmpty()||t.push(s.min,s.max)}return t}rebuild(t){let e=this.props.get(t)?.drawable;e&&(this.drop(t),this.build(t,e))}build(t,e){let i={palette:this.palette,height:this.height,selected:t===this.selected},s=gg(e,i),r=typeof e.who=="string"?this.shiftOf(e.who):null;r&&s.object.position.add(r),s.object.userData.id=t,this.group.add(s.object),this.props.set(t,{drawable:e,drawn:s});let{anchor:o}=s;if(!e.label||o===null){this.labels.remove(`prop/${t}`);return}let a=o===s.object.position,l=()=>a||!r?o.clone():o.clone().add(r);this.labels.set(`prop/${t}`,e.label,l,e.kind==="ring"?"ring":"target")}drop(t){let e=this.props.get(t);e&&(this.group.remove(e.drawn.object),yg(e.drawn),this.props.delete(t))}reground(t){if(!t)return!1;this.height=Do([...this.props.values()].map(({drawable:e})=>e));for(let[e,{drawable:i}]of[...this.props])yi(i)||this.rebuild(e);return!0}};function KE(n){let t=n.getExtension("WEBGL_debug_renderer_info"),e=t?n.getParameter(t.UNMASKED_RENDERER_WEBGL):"";return/swiftshader|llvmpipe|software|basic render/i.test(String(e))}var Ad=2,ZE=400,Ac=class{scene=new Fr;renderer;pictures=0;isHasty=!1;software;ratio;hemisphere=new ao(16777215,9080729,1.9);sun=new ho(16777215,1.7);size=[1,1];calm=0;shaders=new Set;constructor(t,e){this.renderer=new cc({canvas:t,powerPreference:"high-performance"}),this.software=KE(this.renderer.getContext()),this.ratio=Math.min(e??Ad,this.software?1:Ad),this.renderer.setPixelRatio(this.ratio),this.renderer.debug.checkShaderErrors=!1,this.sun.position.set(2,5,3),this.scene.add(this.hemisphere,this.sun)}paint(t){this.scene.background=new Rt(t.ground)}resize(t,e){this.size=[t,e],this.renderer.setSize(t,e,!1)}draw(t){clearTimeout(this.calm),this.useRatio(this.ratio),this.render(t),this.pictures++,!(!this.software||this.isHasty)&&(this.calm=window.setTimeout(()=>{this.useRatio(Ad),this.render(t)},ZE))}render(t){this.sun.position.copy(t.position).setY(t.position.y+6),this.renderer.render(this.scene,t),this.keepShaders()}keepShaders(){for(let t of this.renderer.info.programs??[])this.shaders.has(t)||(this.shaders.add(t),t.usedTimes++)}useRatio(t){this.renderer.getPixelRatio()!==t&&(this.renderer.setPixelRatio(t),this.renderer.setSize(...this.size,!1))}dispose(){clearTimeout(this.calm),this.renderer.dispose()}};var xg={type:"change"},Pd={type:"start"},vg={type:"end"},Cc=new di,_g=new We,JE=Math.cos(70*Yn.DEG2RAD),Le=new C,ln=2*Math.PI,ee={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Cd=1e-6,Pc=class extends po{constructor(t,e=null){super(t,e),this.state=ee.NONE,this.target=new C,this.cursor=new C,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:Di.ROTATE,MIDDLE:Di.DOLLY,RIGHT:Di.PAN},this.touches={ONE:Ni.ROTATE,TWO:Ni.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new C,this._lastQuaternion=new Qe,this._lastTargetPosition=new C,this._quat=new Qe().setFromUnitVectors(t.up,new C(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Ks,this._sphericalDelta=new Ks,this._scale=1,this._panOffset=new C,this._rotateStart=new dt,this._rotateEnd=new dt,this._rotateDelta=new dt,this._panStart=new dt,this._panEnd=new dt,this._panDelta=new dt,this._dollyStart=new dt,this._dollyEnd=new dt,this._dollyDelta=new dt,this._dollyDirection=new C,this._mouse=new dt,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=QE.bind(this),this._onPointerDown=jE.bind(this),this._onPointerUp=tT.bind(this),this._onContextMenu=aT.bind(this),this._onMouseWheel=iT.bind(this),this._onKeyDown=sT.bind(this),this._onTouchStart=rT.bind(this),this._onTouchMove=oT.bind(this),this._onMouseDown=eT.bind(this),this._onMouseMove=nT.bind(this),this._interceptControlDown=lT.bind(this),this._interceptControlUp=cT.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=ee.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(xg),this.update(),this.state=ee.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;Le.copy(e).sub(this.target),Le.applyQuaternion(this._quat),this._spherical.setFromVector3(Le),this.autoRotate&&this.state===ee.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let i=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(i)&&isFinite(s)&&(i<-Math.PI?i+=ln:i>Math.PI&&(i-=ln),s<-Math.PI?s+=ln:s>Math.PI&&(s-=ln),i<=s?this._spherical.theta=Math.max(i,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(i+s)/2?Math.max(i,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(Le.setFromSpherical(this._spherical),Le.applyQuaternion(this._quatInverse),e.copy(this.target).add(Le),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=Le.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new C(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new C(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=Le.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Cc.origin.copy(this.object.position),Cc.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Cc.direction))<JE?this.object.lookAt(this.target):(_g.setFromNormalAndCoplanarPoint(this.object.up,this.target),Cc.intersectPlane(_g,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Cd||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Cd||this._lastTargetPosition.distanceToSquared(this.target)>Cd?(this.dispatchEvent(xg),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?ln/60*this.autoRotateSpeed*t:ln/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){Le.setFromMatrixColumn(e,0),Le.multiplyScalar(-t),this._panOffset.add(Le)}_panUp(t,e){this.screenSpacePanning===!0?Le.setFromMatrixColumn(e,1):(Le.setFromMatrixColumn(e,0),Le.crossVectors(this.object.up,Le)),Le.multiplyScalar(t),this._panOffset.add(Le)}_pan(t,e){let i=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;Le.copy(s).sub(this.target);let r=Le.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/i.clientHeight,this.object.matrix),this._panUp(2*e*r/i.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/i.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/i.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let i=this.domElement.getBoundingClientRect(),s=t-i.left,r=e-i.top,o=i.width,a=i.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(ln*this._rotateDelta.x/e.clientHeight),this._rotateUp(ln*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-ln*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),i=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(i,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),i=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(i,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),i=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(i*i+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let i=this._getSecondPointerPosition(t),s=.5*(t.pageX+i.x),r=.5*(t.pageY+i.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(ln*this._rotateDelta.x/e.clientHeight),this._rotateUp(ln*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),i=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(i,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),i=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(i*i+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new dt,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,i={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:i.deltaY*=16;break;case 2:i.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(i.deltaY*=10),i}};function jE(n){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(n.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(n)&&(this._addPointer(n),n.pointerType==="touch"?this._onTouchStart(n):this._onMouseDown(n),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function QE(n){this.enabled!==!1&&(n.pointerType==="touch"?this._onTouchMove(n):this._onMouseMove(n))}function tT(n){switch(this._removePointer(n),this._pointers.length){case 0:this.domElement.releasePointerCapture(n.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(vg),this.state=ee.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function eT(n){let t;switch(n.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Di.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(n),this.state=ee.DOLLY;break;case Di.ROTATE:if(n.ctrlKey||n.metaKey||n.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(n),this.state=ee.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(n),this.state=ee.ROTATE}break;case Di.PAN:if(n.ctrlKey||n.metaKey||n.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(n),this.state=ee.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(n),this.state=ee.PAN}break;default:this.state=ee.NONE}this.state!==ee.NONE&&this.dispatchEvent(Pd)}function nT(n){switch(this.state){case ee.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(n);break;case ee.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(n);break;case ee.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(n);break}}function iT(n){this.enabled===!1||this.enableZoom===!1||this.state!==ee.NONE||(n.preventDefault(),this.dispatchEvent(Pd),this._handleMouseWheel(this._customWheelEvent(n)),this.dispatchEvent(vg))}function sT(n){this.enabled!==!1&&this._handleKeyDown(n)}function rT(n){switch(this._trackPointer(n),this._pointers.length){case 1:switch(this.touches.ONE){case Ni.ROTATE:if(this.enableRotate===!1){this.state=ee.NONE;break}this._handleTouchStartRotate(n),this.state=ee.TOUCH_ROTATE;break;case Ni.PAN:if(this.enablePan===!1){this.state=ee.NONE;break}this._handleTouchStartPan(n),this.state=ee.TOUCH_PAN;break;default:this.state=ee.NONE}break;case 2:switch(this.touches.TWO){case Ni.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(n),this.state=ee.TOUCH_DOLLY_PAN;break;case Ni.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(n),this.state=ee.TOUCH_DOLLY_ROTATE;break;default:this.state=ee.NONE}break;default:this.state=ee.NONE}this.state!==ee.NONE&&this.dispatchEvent(Pd)}function oT(n){switch(this._trackPointer(n),this.state){case ee.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(n),this.update();break;case ee.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(n),this.update();break;case ee.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(n),this.update();break;case ee.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(n),this.update();break;default:this.state=ee.NONE}}function aT(n){this.enabled!==!1&&n.preventDefault()}function lT(n){n.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function cT(n){n.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var bg=35,hT={front:[0,8],back:[180,8],left:[90,8],right:[-90,8],top:[0,89.9],free:[38,18]},Rc=class{camera=new Je(bg,16/9,.05,600);controls;inset=[0,0,0,0];followed=null;last=null;size=[1280,720];constructor(t,e){this.camera.position.set(2.6,1.9,4),this.controls=new Pc(this.camera,t),this.controls.target.set(0,.9,0),this.controls.maxPolarAngle=Yn.degToRad(93),this.controls.minDistance=.4,this.controls.maxDistance=150,this.controls.zoomToCursor=!0,this.controls.addEventListener("change",e),this.controls.update()}get target(){return this.controls.target}get distance(){return this.camera.position.distanceTo(this.controls.target)}follow(t){this.followed=t,this.last=null;let e=t?.();if(!e)return;let i=e.clone().setY(this.target.y);this.moveBy(i.sub(this.target)),this.last=e}get following(){return this.followed!==null}advance(){let t=this.followed?.();t&&(this.last&&this.moveBy(t.clone().sub(this.last).setY(0)),this.last=t)}fit(t,e){if(t.length===0)return;let[i,s]=e??this.direction(),[r,o]=[Yn.degToRad(i),Yn.degToRad(s)],a=new C(Math.cos(o)*Math.sin(r),Math.sin(o),Math.cos(o)*Math.cos(r)),l=Math.abs(a.y)>.99?new C(0,0,-1):new C(0,1,0),c=new C().crossVectors(l,a).normalize(),h=new C().crossVectors(a,c),u=new en().setFromPoints([...t]).getCenter(new C),d=this.distanceFor(t,u,[c,h,a]);for(let f=0;f<3;f++)this.centre(t,u,d,[c,h,a]),d=this.distanceFor(t,u,[c,h,a]);this.target.copy(u),this.camera.position.copy(u).addScaledVector(a,d),this.last=this.followed?.()??null,this.controls.update()}look(t,e){this.fit(e,hT[t])}resize(t,e){this.size=[t,e],this.camera.aspect=t/Math.max(e,1);let[i,s,r,o]=this.inset;i||s||r||o?this.camera.setViewOffset(t,e,(r-i)/2,(o-s)/2,t,e):this.camera.clearViewOffset(),this.camera.updateProjectionMatrix()}direction(){let t=this.camera.position.clone().sub(this.target).normalize();return[Yn.radToDeg(Math.atan2(t.x,t.z)),Yn.radToDeg(Math.asin(t.y))]}moveBy(t){this.target.add(t),this.camera.position.add(t)}get tangents(){let[t,e,i,s]=this.inset,r=Math.tan(Yn.degToRad(bg)/2),o=Math.max(1-(t+i)/this.size[0],.3),a=Math.max(1-(e+s)/this.size[1],.3);return[r*this.camera.aspect*o,r*a]}distanceFor(t,e,i){let[s,r]=this.tangents,o=1;for(let a of t){let l=a.clone().sub(e),c=Math.abs(l.dot(i[0]))/s,h=Math.abs(l.dot(i[1]))/r;o=Math.max(o,1.08*Math.max(c,h)+l.dot(i[2]))}return Math.min(o,120)}centre(t,e,i,s){for(let r of[s[0],s[1]]){let[o,a]=[1/0,-1/0];for(let l of t){let c=l.clone().sub(e),h=c.dot(r)/Math.max(i-c.dot(s[2]),.1);o=Math.min(o,h),a=Math.max(a,h)}e.addScaledVector(r,(o+a)/2*i)}}};var cs=class{constructor(t,e={}){this.parent=t;this.shownScheme=e.scheme??Ao(),this.canvas=document.createElement("canvas"),this.canvas.className="stage",this.canvas.tabIndex=0,this.canvas.setAttribute("aria-label","the scene; drag to look around, scroll to come nearer"),t.append(this.canvas),this.painter=new Ac(this.canvas,e.maxPixelRatio),this.labels=new Sc(t),this.rig=new Rc(this.canvas,()=>{this.invalidate()}),this.picker=new Mc(this.rig.camera,this.canvas),this.ground=new bc(this.palette),this.props=new Tc(this.labels,this.palette,i=>this.figures.get(i)?.group.position??null),this.scene.add(this.ground.group,this.props.group),this.painter.paint(this.palette),this.watcher=new ResizeObserver(()=>{this.resize()}),this.watcher.observe(t),this.resize()}parent;canvas;labels;rig;picker;props;figures=new Map;clouds=new Set;painter;ground;hooks=new Set;watcher;playback=null;detach=null;asked=0;lastTick=0;shownFrame=0;shownScheme;get scene(){return this.painter.scene}get palette(){return dd[this.shownScheme]}get scheme(){return this.shownScheme}get frame(){return this.shownFrame}get pictures(){return this.painter.pictures}setScheme(t){this.shownScheme=t,this.painter.paint(this.palette),this.ground.paint(this.palette),this.props.paint(this.palette),this.repaintFigures()}addCharacter(t){let e=this.figures.get(t.id),i=new Io(t,this.palette,this.props.height);this.removeCharacter(t.id),this.figures.set(t.id,i),this.scene.add(i.group);let s=e?.track;return s&&s.nJoints===t.parents.length&&i.setMotion(s.asPart()),this.invalidate(),i}removeCharacter(t){let e=this.figures.get(t);e&&(this.scene.remove(e.group),e.dispose(),this.figures.delete(t),this.invalidate())}setMotion(t){let e=this.figures.get(t.who)?.setMotion(t)??null;return this.setFrame(this.shownFrame),e}setGhost(t,e){this.figures.get(t)?.setGhost(e),this.setFrame(this.shownFrame)}setTraces(t){for(let e of this.figures.values())e.setTraces(t),e.body.reset();this.setFrame(this.shownFrame)}addCloud(t){this.clouds.add(t),this.scene.add(t.mesh),this.invalidate()}setFrame(t){this.shownFrame=t;let e=this.playback?.fps??null;for(let i of this.figures.values())i.show(i.frameAt(t,e));for(let i of this.clouds)i.show(e===null?t:t/e*i.cloud.fps);this.invalidate()}attach(t){this.detach?.(),this.playback=t;let e=t.onFrame(s=>{this.setFrame(s)}),i=t.onState(()=>{this.lastTick=0,this.invalidate()});this.detach=()=>{e(),i()},this.setFrame(t.frame)}setDrawable(t,e){this.props.set(t,e)&&this.repaintFigures(),this.invalidate()}removeDrawable(t){this.props.remove(t)&&this.repaintFigures(),this.invalidate()}setDrawables(t,e=""){let i=!1;for(let s of this.props.ids(e))t.has(s)||(i=this.props.remove(s)||i);for(let[s,r]of t)i=this.props.set(s,r)||i;i&&this.repaintFigures(),this.invalidate()}select(t){this.props.select(t),this.invalidate()}pick(t,e){let i=this.picker.drawables(t,e,this.props.handles),s=this.picker.joint(t,e,this.figures.values()),r=this.picker.body(t,e,this.figures.values());s&&i.unshift(s),r&&i.push(r);let o=this.pickGround(t,e);return o&&i.push({kind:"ground",point:o}),i}pickGround(t,e){return this.picker.ground(t,e,this.props.surfaces)}landmarks(){let t=[...this.figures.values()].flatMap(i=>i.landmarks()),e=[...this.clouds].flatMap(i=>i.landmarks());return[...t,...e,...this.props.landmarks()]}fit(t){this.rig.fit(this.landmarks(),t),this.invalidate()}follow(t){this.rig.follow(t&&(()=>ng(t.flatMap(e=>this.figures.get(e)??[])))),this.invalidate()}onDraw(t){return this.hooks.add(t),()=>this.hooks.delete(t)}invalidate(){this.asked||=requestAnimationFrame(t=>{this.tick(t)})}setHasty(t){this.painter.isHasty=t,this.invalidate()}resize(){let t=Math.max(this.parent.clientWidth,1),e=Math.max(this.parent.clientHeight,1);this.painter.resize(t,e),this.rig.resize(t,e),this.invalidate()}dispose(){cancelAnimationFrame(this.asked),this.detach?.(),this.watcher.disconnect();for(let t of[...this.figures.keys()])this.removeCharacter(t);this.painter.dispose(),this.canvas.remove(),this.labels.layer.remove()}tick(t){this.asked=0;let e=this.lastTick>0?Math.min((t-this.lastTick)/1e3,.5):0;this.lastTick=this.playback?.playing?t:0,this.playback?.tick(e),this.rig.advance();for(let i of this.hooks)i();this.ground.follow(this.rig.target,this.rig.distance),this.painter.draw(this.rig.camera),this.labels.update(this.rig.camera,this.canvas.clientWidth,this.canvas.clientHeight),this.playback?.playing&&this.invalidate()}repaintFigures(){for(let t of this.figures.values())t.paint(this.palette,this.props.height);this.setFrame(this.shownFrame)}};function Sg(n){let t=n.length,e=0,i=0;for(;i<t;){let s=n.charCodeAt(i++);if((s&4294967168)===0){e++;continue}else if((s&4294965248)===0)e+=2;else{if(s>=55296&&s<=56319&&i<t){let r=n.charCodeAt(i);(r&64512)===56320&&(++i,s=((s&1023)<<10)+(r&1023)+65536)}(s&4294901760)===0?e+=3:e+=4}}return e}function uT(n,t,e){let i=n.length,s=e,r=0;for(;r<i;){let o=n.charCodeAt(r++);if((o&4294967168)===0){t[s++]=o;continue}else if((o&4294965248)===0)t[s++]=o>>6&31|192;else{if(o>=55296&&o<=56319&&r<i){let a=n.charCodeAt(r);(a&64512)===56320&&(++r,o=((o&1023)<<10)+(a&1023)+65536)}(o&4294901760)===0?(t[s++]=o>>12&15|224,t[s++]=o>>6&63|128):(t[s++]=o>>18&7|240,t[s++]=o>>12&63|128,t[s++]=o>>6&63|128)}t[s++]=o&63|128}}var dT=new TextEncoder,fT=50;function pT(n,t,e){dT.encodeInto(n,t.subarray(e))}function Mg(n,t,e){n.length>fT?pT(n,t,e):uT(n,t,e)}var mT=4096;function Rd(n,t,e){let i=t,s=i+e,r=[],o="";for(;i<s;){let a=n[i++];if((a&128)===0)r.push(a);else if((a&224)===192){let l=n[i++]&63;r.push((a&31)<<6|l)}else if((a&240)===224){let l=n[i++]&63,c=n[i++]&63;r.push((a&31)<<12|l<<6|c)}else if((a&248)===240){let l=n[i++]&63,c=n[i++]&63,h=n[i++]&63,u=(a&7)<<18|l<<12|c<<6|h;u>65535&&(u-=65536,r.push(u>>>10&1023|55296),u=56320|u&1023),r.push(u)}else r.push(a);r.length>=mT&&(o+=String.fromCharCode(...r),r.length=0)}return r.length>0&&(o+=String.fromCharCode(...r)),o}var gT=new TextDecoder,yT=200;function xT(n,t,e){let i=n.subarray(t,t+e);return gT.decode(i)}function wg(n,t,e){return e>yT?xT(n,t,e):Rd(n,t,e)}var hs=class{type;data;constructor(t,e){this.type=t,this.data=e}};var cn=class n extends Error{constructor(t){super(t);let e=Object.create(n.prototype);Object.setPrototypeOf(this,e),Object.defineProperty(this,"name",{configurable:!0,enumerable:!1,value:n.name})}};function Eg(n,t,e){let i=e/4294967296,s=e;n.setUint32(t,i),n.setUint32(t+4,s)}function Ic(n,t,e){let i=Math.floor(e/4294967296),s=e;n.setUint32(t,i),n.setUint32(t+4,s)}function Lc(n,t){let e=n.getInt32(t),i=n.getUint32(t+4);return e*4294967296+i}function Tg(n,t){let e=n.getUint32(t),i=n.getUint32(t+4);return e*4294967296+i}var _T=-1,vT=4294967296-1,bT=17179869184-1;function ST({sec:n,nsec:t}){if(n>=0&&t>=0&&n<=bT)if(t===0&&n<=vT){let e=new Uint8Array(4);return new DataView(e.buffer).setUint32(0,n),e}else{let e=n/4294967296,i=n&4294967295,s=new Uint8Array(8),r=new DataView(s.buffer);return r.setUint32(0,t<<2|e&3),r.setUint32(4,i),s}else{let e=new Uint8Array(12),i=new DataView(e.buffer);return i.setUint32(0,t),Ic(i,4,n),e}}function MT(n){let t=n.getTime(),e=Math.floor(t/1e3),i=(t-e*1e3)*1e6,s=Math.floor(i/1e9);return{sec:e+s,nsec:i-s*1e9}}function wT(n){if(n instanceof Date){let t=MT(n);return ST(t)}else return null}function ET(n){let t=new DataView(n.buffer,n.byteOffset,n.byteLength);switch(n.byteLength){case 4:return{sec:t.getUint32(0),nsec:0};case 8:{let e=t.getUint32(0),i=t.getUint32(4),s=(e&3)*4294967296+i,r=e>>>2;return{sec:s,nsec:r}}case 12:{let e=Lc(t,4),i=t.getUint32(0);return{sec:e,nsec:i}}default:throw new cn(`Unrecognized data size for timestamp (expected 4, 8, or 12): ${n.length}`)}}function TT(n){let t=ET(n);return new Date(t.sec*1e3+t.nsec/1e6)}var Ag={type:_T,encode:wT,decode:TT};var sr=class n{static defaultCodec=new n;__brand;builtInEncoders=[];builtInDecoders=[];encoders=[];decoders=[];constructor(){this.register(Ag)}register({type:t,encode:e,decode:i}){if(t>=0)this.encoders[t]=e,this.decoders[t]=i;else{let s=-1-t;this.builtInEncoders[s]=e,this.builtInDecoders[s]=i}}tryToEncode(t,e){for(let i=0;i<this.builtInEncoders.length;i++){let s=this.builtInEncoders[i];if(s!=null){let r=s(t,e);if(r!=null){let o=-1-i;return new hs(o,r)}}}for(let i=0;i<this.encoders.length;i++){let s=this.encoders[i];if(s!=null){let r=s(t,e);if(r!=null){let o=i;return new hs(o,r)}}}return t instanceof hs?t:null}decode(t,e,i){let s=e<0?this.builtInDecoders[-1-e]:this.decoders[e];return s?s(t,e,i):new hs(e,t)}};function AT(n){return n instanceof ArrayBuffer||typeof SharedArrayBuffer<"u"&&n instanceof SharedArrayBuffer}function Oo(n){return n instanceof Uint8Array?n:ArrayBuffer.isView(n)?new Uint8Array(n.buffer,n.byteOffset,n.byteLength):AT(n)?new Uint8Array(n):Uint8Array.from(n)}var CT=100,PT=2048,Dc=class n{extensionCodec;context;useBigInt64;maxDepth;initialBufferSize;sortKeys;forceFloat32;ignoreUndefined;forceIntegerToFloat;pos;view;bytes;entered=!1;constructor(t){this.extensionCodec=t?.extensionCodec??sr.defaultCodec,this.context=t?.context,this.useBigInt64=t?.useBigInt64??!1,this.maxDepth=t?.maxDepth??CT,this.initialBufferSize=t?.initialBufferSize??PT,this.sortKeys=t?.sortKeys??!1,this.forceFloat32=t?.forceFloat32??!1,this.ignoreUndefined=t?.ignoreUndefined??!1,this.forceIntegerToFloat=t?.forceIntegerToFloat??!1,this.pos=0,this.view=new DataView(new ArrayBuffer(this.initialBufferSize)),this.bytes=new Uint8Array(this.view.buffer)}clone(){return new n({extensionCodec:this.extensionCodec,context:this.context,useBigInt64:this.useBigInt64,maxDepth:this.maxDepth,initialBufferSize:this.initialBufferSize,sortKeys:this.sortKeys,forceFloat32:this.forceFloat32,ignoreUndefined:this.ignoreUndefined,forceIntegerToFloat:this.forceIntegerToFloat})}reinitializeState(){this.pos=0}encodeSharedRef(t){if(this.entered)return this.clone().encodeSharedRef(t);try{return this.entered=!0,this.reinitializeState(),this.doEncode(t,1),this.bytes.subarray(0,this.pos)}finally{this.entered=!1}}encode(t){if(this.entered)return this.clone().encode(t);try{return this.entered=!0,this.reinitializeState(),this.doEncode(t,1),this.bytes.slice(0,this.pos)}finally{this.entered=!1}}doEncode(t,e){if(e>this.maxDepth)throw new Error(`Too deep objects in depth ${e}`);t==null?this.encodeNil():typeof t=="boolean"?this.encodeBoolean(t):typeof t=="number"?this.forceIntegerToFloat?this.encodeNumberAsFloat(t):this.encodeNumber(t):typeof t=="string"?this.encodeString(t):this.useBigInt64&&typeof t=="bigint"?this.encodeBigInt64(t):this.encodeObject(t,e)}ensureBufferSizeToWrite(t){let e=this.pos+t;this.view.byteLength<e&&this.resizeBuffer(e*2)}resizeBuffer(t){let e=new ArrayBuffer(t),i=new Uint8Array(e),s=new DataView(e);i.set(this.bytes),this.view=s,this.bytes=i}encodeNil(){this.writeU8(192)}encodeBoolean(t){t===!1?this.writeU8(194):this.writeU8(195)}encodeNumber(t){!this.forceIntegerToFloat&&Number.isSafeInteger(t)?t>=0?t<128?this.writeU8(t):t<256?(this.writeU8(204),this.writeU8(t)):t<65536?(this.writeU8(205),this.writeU16(t)):t<4294967296?(this.writeU8(206),this.writeU32(t)):this.useBigInt64?this.encodeNumberAsFloat(t):(this.writeU8(207),this.writeU64(t)):t>=-32?this.writeU8(224|t+32):t>=-128?(this.writeU8(208),this.writeI8(t)):t>=-32768?(this.writeU8(209),this.writeI16(t)):t>=-2147483648?(this.writeU8(210),this.writeI32(t)):this.useBigInt64?this.encodeNumberAsFloat(t):(this.writeU8(211),this.writeI64(t)):this.encodeNumberAsFloat(t)}encodeNumberAsFloat(t){this.forceFloat32?(this.writeU8(202),this.writeF32(t)):(this.writeU8(203),this.writeF64(t))}encodeBigInt64(t){t>=BigInt(0)?(this.writeU8(207),this.writeBigUint64(t)):(this.writeU8(211),this.writeBigInt64(t))}writeStringHeader(t){if(t<32)this.writeU8(160+t);else if(t<256)this.writeU8(217),this.writeU8(t);else if(t<65536)this.writeU8(218),this.writeU16(t);else if(t<4294967296)this.writeU8(219),this.writeU32(t);else throw new Error(`Too long string: ${t} bytes in UTF-8`)}encodeString(t){let i=Sg(t);this.ensureBufferSizeToWrite(5+i),this.writeStringHeader(i),Mg(t,this.bytes,this.pos),this.pos+=i}encodeObject(t,e){let i=this.extensionCodec.tryToEncode(t,this.context);if(i!=null)this.encodeExtension(i);else if(Array.isArray(t))this.encodeArray(t,e);else if(ArrayBuffer.isView(t))this.encodeBinary(t);else if(typeof t=="object")this.encodeMap(t,e);else throw new Error(`Unrecognized object: ${Object.prototype.toString.apply(t)}`)}encodeBinary(t){let e=t.byteLength;if(e<256)this.writeU8(196),this.writeU8(e);else if(e<65536)this.writeU8(197),this.writeU16(e);else if(e<4294967296)this.writeU8(198),this.writeU32(e);else throw new Error(`Too large binary: ${e}`);let i=Oo(t);this.writeU8a(i)}encodeArray(t,e){let i=t.length;if(i<16)this.writeU8(144+i);else if(i<65536)this.writeU8(220),this.writeU16(i);else if(i<4294967296)this.writeU8(221),this.writeU32(i);else throw new Error(`Too large array: ${i}`);for(let s of t)this.doEncode(s,e+1)}countWithoutUndefined(t,e){let i=0;for(let s of e)t[s]!==void 0&&i++;return i}encodeMap(t,e){let i=Object.keys(t);this.sortKeys&&i.sort();let s=this.ignoreUndefined?this.countWithoutUndefined(t,i):i.length;if(s<16)this.writeU8(128+s);else if(s<65536)this.writeU8(222),this.writeU16(s);else if(s<4294967296)this.writeU8(223),this.writeU32(s);else throw new Error(`Too large map object: ${s}`);for(let r of i){let o=t[r];this.ignoreUndefined&&o===void 0||(this.encodeString(r),this.doEncode(o,e+1))}}encodeExtension(t){if(typeof t.data=="function"){let i=t.data(this.pos+6),s=i.length;if(s>=4294967296)throw new Error(`Too large extension object: ${s}`);this.writeU8(201),this.writeU32(s),this.writeI8(t.type),this.writeU8a(i);return}let e=t.data.length;if(e===1)this.writeU8(212);else if(e===2)this.writeU8(213);else if(e===4)this.writeU8(214);else if(e===8)this.writeU8(215);else if(e===16)this.writeU8(216);else if(e<256)this.writeU8(199),this.writeU8(e);else if(e<65536)this.writeU8(200),this.writeU16(e);else if(e<4294967296)this.writeU8(201),this.writeU32(e);else throw new Error(`Too large extension object: ${e}`);this.writeI8(t.type),this.writeU8a(t.data)}writeU8(t){this.ensureBufferSizeToWrite(1),this.view.setUint8(this.pos,t),this.pos++}writeU8a(t){let e=t.length;this.ensureBufferSizeToWrite(e),this.bytes.set(t,this.pos),this.pos+=e}writeI8(t){this.ensureBufferSizeToWrite(1),this.view.setInt8(this.pos,t),this.pos++}writeU16(t){this.ensureBufferSizeToWrite(2),this.view.setUint16(this.pos,t),this.pos+=2}writeI16(t){this.ensureBufferSizeToWrite(2),this.view.setInt16(this.pos,t),this.pos+=2}writeU32(t){this.ensureBufferSizeToWrite(4),this.view.setUint32(this.pos,t),this.pos+=4}writeI32(t){this.ensureBufferSizeToWrite(4),this.view.setInt32(this.pos,t),this.pos+=4}writeF32(t){this.ensureBufferSizeToWrite(4),this.view.setFloat32(this.pos,t),this.pos+=4}writeF64(t){this.ensureBufferSizeToWrite(8),this.view.setFloat64(this.pos,t),this.pos+=8}writeU64(t){this.ensureBufferSizeToWrite(8),Eg(this.view,this.pos,t),this.pos+=8}writeI64(t){this.ensureBufferSizeToWrite(8),Ic(this.view,this.pos,t),this.pos+=8}writeBigUint64(t){this.ensureBufferSizeToWrite(8),this.view.setBigUint64(this.pos,t),this.pos+=8}writeBigInt64(t){this.ensureBufferSizeToWrite(8),this.view.setBigInt64(this.pos,t),this.pos+=8}};function Nc(n,t){return new Dc(t).encodeSharedRef(n)}function Oc(n){return`${n<0?"-":""}0x${Math.abs(n).toString(16).padStart(2,"0")}`}var RT=16,IT=16,Uc=class{hit=0;miss=0;caches;maxKeyLength;maxLengthPerKey;constructor(t=RT,e=IT){this.maxKeyLength=t,this.maxLengthPerKey=e,this.caches=[];for(let i=0;i<this.maxKeyLength;i++)this.caches.push([])}canBeCached(t){return t>0&&t<=this.maxKeyLength}find(t,e,i){let s=this.caches[i-1];t:for(let r of s){let o=r.bytes;for(let a=0;a<i;a++)if(o[a]!==t[e+a])continue t;return r.str}return null}store(t,e){let i=this.caches[t.length-1],s={bytes:t,str:e};i.length>=this.maxLengthPerKey?i[Math.random()*i.length|0]=s:i.push(s)}decode(t,e,i){let s=this.find(t,e,i);if(s!=null)return this.hit++,s;this.miss++;let r=Rd(t,e,i),o=Uint8Array.prototype.slice.call(t,e,e+i);return this.store(o,r),r}};var Id="array",ko="map_key",Pg="map_value",LT=n=>{if(typeof n=="string"||typeof n=="number")return n;throw new cn("The type of key must be string or number but "+typeof n)},Ld=class{stack=[];stackHeadPosition=-1;get length(){return this.stackHeadPosition+1}top(){return this.stack[this.stackHeadPosition]}pushArrayState(t){let e=this.getUninitializedStateFromPool();e.type=Id,e.position=0,e.size=t,e.array=new Array(t)}pushMapState(t){let e=this.getUninitializedStateFromPool();e.type=ko,e.readCount=0,e.size=t,e.map={}}getUninitializedStateFromPool(){if(this.stackHeadPosition++,this.stackHeadPosition===this.stack.length){let t={type:void 0,size:0,array:void 0,position:0,readCount:0,map:void 0,key:null};this.stack.push(t)}return this.stack[this.stackHeadPosition]}release(t){if(this.stack[this.stackHeadPosition]!==t)throw new Error("Invalid stack state. Released state is not on top of the stack.");if(t.type===Id){let i=t;i.size=0,i.array=void 0,i.position=0,i.type=void 0}if(t.type===ko||t.type===Pg){let i=t;i.size=0,i.map=void 0,i.readCount=0,i.type=void 0}this.stackHeadPosition--}reset(){this.stack.length=0,this.stackHeadPosition=-1}},Fo=-1,Dd=new DataView(new ArrayBuffer(0)),DT=new Uint8Array(Dd.buffer);try{Dd.getInt8(0)}catch(n){if(!(n instanceof RangeError))throw new Error("This module is not supported in the current JavaScript engine because DataView does not throw RangeError on out-of-bounds access")}var Cg=new RangeError("Insufficient data"),NT=new Uc,Fc=class n{extensionCodec;context;useBigInt64;rawStrings;maxStrLength;maxBinLength;maxArrayLength;maxMapLength;maxExtLength;keyDecoder;mapKeyConverter;totalPos=0;pos=0;view=Dd;bytes=DT;headByte=Fo;stack=new Ld;entered=!1;constructor(t){this.extensionCodec=t?.extensionCodec??sr.defaultCodec,this.context=t?.context,this.useBigInt64=t?.useBigInt64??!1,this.rawStrings=t?.rawStrings??!1,this.maxStrLength=t?.maxStrLength??4294967295,this.maxBinLength=t?.maxBinLength??4294967295,this.maxArrayLength=t?.maxArrayLength??4294967295,this.maxMapLength=t?.maxMapLength??4294967295,this.maxExtLength=t?.maxExtLength??4294967295,this.keyDecoder=t?.keyDecoder!==void 0?t.keyDecoder:NT,this.mapKeyConverter=t?.mapKeyConverter??LT}clone(){return new n({extensionCodec:this.extensionCodec,context:this.context,useBigInt64:this.useBigInt64,rawStrings:this.rawStrings,maxStrLength:this.maxStrLength,maxBinLength:this.maxBinLength,maxArrayLength:this.maxArrayLength,maxMapLength:this.maxMapLength,maxExtLength:this.maxExtLength,keyDecoder:this.keyDecoder})}reinitializeState(){this.totalPos=0,this.headByte=Fo,this.stack.reset()}setBuffer(t){let e=Oo(t);this.bytes=e,this.view=new DataView(e.buffer,e.byteOffset,e.byteLength),this.pos=0}appendBuffer(t){if(this.headByte===Fo&&!this.hasRemaining(1))this.setBuffer(t);else{let e=this.bytes.subarray(this.pos),i=Oo(t),s=new Uint8Array(e.length+i.length);s.set(e),s.set(i,e.length),this.setBuffer(s)}}hasRemaining(t){return this.view.byteLength-this.pos>=t}createExtraByteError(t){let{view:e,pos:i}=this;return new RangeError(`Extra ${e.byteLength-i} of ${e.byteLength} byte(s) found at buffer[${t}]`)}decode(t){if(this.entered)return this.clone().decode(t);try{this.entered=!0,this.reinitializeState(),this.setBuffer(t);let e=this.doDecodeSync();if(this.hasRemaining(1))throw this.createExtraByteError(this.pos);return e}finally{this.entered=!1}}*decodeMulti(t){if(this.entered){yield*this.clone().decodeMulti(t);return}try{for(this.entered=!0,this.reinitializeState(),this.setBuffer(t);this.hasRemaining(1);)yield this.doDecodeSync()}finally{this.entered=!1}}async decodeAsync(t){if(this.entered)return this.clone().decodeAsync(t);try{this.entered=!0;let e=!1,i;for await(let a of t){if(e)throw this.entered=!1,this.createExtraByteError(this.totalPos);this.appendBuffer(a);try{i=this.doDecodeSync(),e=!0}catch(l){if(!(l instanceof RangeError))throw l}this.totalPos+=this.pos}if(e){if(this.hasRemaining(1))throw this.createExtraByteError(this.totalPos);return i}let{headByte:s,pos:r,totalPos:o}=this;throw new RangeError(`Insufficient data in parsing ${Oc(s)} at ${o} (${r} in the current buffer)`)}finally{this.entered=!1}}decodeArrayStream(t){return this.decodeMultiAsync(t,!0)}decodeStream(t){return this.decodeMultiAsync(t,!1)}async*decodeMultiAsync(t,e){if(this.entered){yield*this.clone().decodeMultiAsync(t,e);return}try{this.entered=!0;let i=e,s=-1;for await(let r of t){if(e&&s===0)throw this.createExtraByteError(this.totalPos);this.appendBuffer(r),i&&(s=this.readArraySize(),i=!1,this.complete());try{for(;yield this.doDecodeSync(),--s!==0;);}catch(o){if(!(o instanceof RangeError))throw o}this.totalPos+=this.pos}}finally{this.entered=!1}}doDecodeSync(){t:for(;;){let t=this.readHeadByte(),e;if(t>=224)e=t-256;else if(t<192)if(t<128)e=t;else if(t<144){let s=t-128;if(s!==0){this.pushMapState(s),this.complete();continue t}else e={}}else if(t<160){let s=t-144;if(s!==0){this.pushArrayState(s),this.complete();continue t}else e=[]}else{let s=t-160;e=this.decodeString(s,0)}else if(t===192)e=null;else if(t===194)e=!1;else if(t===195)e=!0;else if(t===202)e=this.readF32();else if(t===203)e=this.readF64();else if(t===204)e=this.readU8();else if(t===205)e=this.readU16();else if(t===206)e=this.readU32();else if(t===207)this.useBigInt64?e=this.readU64AsBigInt():e=this.readU64();else if(t===208)e=this.readI8();else if(t===209)e=this.readI16();else if(t===210)e=this.readI32();else if(t===211)this.useBigInt64?e=this.readI64AsBigInt():e=this.readI64();else if(t===217){let s=this.lookU8();e=this.decodeString(s,1)}else if(t===218){let s=this.lookU16();e=this.decodeString(s,2)}else if(t===219){let s=this.lookU32();e=this.decodeString(s,4)}else if(t===220){let s=this.readU16();if(s!==0){this.pushArrayState(s),this.complete();continue t}else e=[]}else if(t===221){let s=this.readU32();if(s!==0){this.pushArrayState(s),this.complete();continue t}else e=[]}else if(t===222){let s=this.readU16();if(s!==0){this.pushMapState(s),this.complete();continue t}else e={}}else if(t===223){let s=this.readU32();if(s!==0){this.pushMapState(s),this.complete();continue t}else e={}}else if(t===196){let s=this.lookU8();e=this.decodeBinary(s,1)}else if(t===197){let s=this.lookU16();e=this.decodeBinary(s,2)}else if(t===198){let s=this.lookU32();e=this.decodeBinary(s,4)}else if(t===212)e=this.decodeExtension(1,0);else if(t===213)e=this.decodeExtension(2,0);else if(t===214)e=this.decodeExtension(4,0);else if(t===215)e=this.decodeExtension(8,0);else if(t===216)e=this.decodeExtension(16,0);else if(t===199){let s=this.lookU8();e=this.decodeExtension(s,1)}else if(t===200){let s=this.lookU16();e=this.decodeExtension(s,2)}else if(t===201){let s=this.lookU32();e=this.decodeExtension(s,4)}else throw new cn(`Unrecognized type byte: ${Oc(t)}`);this.complete();let i=this.stack;for(;i.length>0;){let s=i.top();if(s.type===Id)if(s.array[s.position]=e,s.position++,s.position===s.size)e=s.array,i.release(s);else continue t;else if(s.type===ko){if(e==="__proto__")throw new cn("The key __proto__ is not allowed");s.key=this.mapKeyConverter(e),s.type=Pg;continue t}else if(s.map[s.key]=e,s.readCount++,s.readCount===s.size)e=s.map,i.release(s);else{s.key=null,s.type=ko;continue t}}return e}}readHeadByte(){return this.headByte===Fo&&(this.headByte=this.readU8()),this.headByte}complete(){this.headByte=Fo}readArraySize(){let t=this.readHeadByte();switch(t){case 220:return this.readU16();case 221:return this.readU32();default:{if(t<160)return t-144;throw new cn(`Unrecognized array type byte: ${Oc(t)}`)}}}pushMapState(t){if(t>this.maxMapLength)throw new cn(`Max length exceeded: map length (${t}) > maxMapLengthLength (${this.maxMapLength})`);this.stack.pushMapState(t)}pushArrayState(t){if(t>this.maxArrayLength)throw new cn(`Max length exceeded: array length (${t}) > maxArrayLength (${this.maxArrayLength})`);this.stack.pushArrayState(t)}decodeString(t,e){return!this.rawStrings||this.stateIsMapKey()?this.decodeUtf8String(t,e):this.decodeBinary(t,e)}decodeUtf8String(t,e){if(t>this.maxStrLength)throw new cn(`Max length exceeded: UTF-8 byte length (${t}) > maxStrLength (${this.maxStrLength})`);if(this.bytes.byteLength<this.pos+e+t)throw Cg;let i=this.pos+e,s;return this.stateIsMapKey()&&this.keyDecoder?.canBeCached(t)?s=this.keyDecoder.decode(this.bytes,i,t):s=wg(this.bytes,i,t),this.pos+=e+t,s}stateIsMapKey(){return this.stack.length>0?this.stack.top().type===ko:!1}decodeBinary(t,e){if(t>this.maxBinLength)throw new cn(`Max length exceeded: bin length (${t}) > maxBinLength (${this.maxBinLength})`);if(!this.hasRemaining(t+e))throw Cg;let i=this.pos+e,s=this.bytes.subarray(i,i+t);return this.pos+=e+t,s}decodeExtension(t,e){if(t>this.maxExtLength)throw new cn(`Max length exceeded: ext length (${t}) > maxExtLength (${this.maxExtLength})`);let i=this.view.getInt8(this.pos+e),s=this.decodeBinary(t,e+1);return this.extensionCodec.decode(s,i,this.context)}lookU8(){return this.view.getUint8(this.pos)}lookU16(){return this.view.getUint16(this.pos)}lookU32(){return this.view.getUint32(this.pos)}readU8(){let t=this.view.getUint8(this.pos);return this.pos++,t}readI8(){let t=this.view.getInt8(this.pos);return this.pos++,t}readU16(){let t=this.view.getUint16(this.pos);return this.pos+=2,t}readI16(){let t=this.view.getInt16(this.pos);return this.pos+=2,t}readU32(){let t=this.view.getUint32(this.pos);return this.pos+=4,t}readI32(){let t=this.view.getInt32(this.pos);return this.pos+=4,t}readU64(){let t=Tg(this.view,this.pos);return this.pos+=8,t}readI64(){let t=Lc(this.view,this.pos);return this.pos+=8,t}readU64AsBigInt(){let t=this.view.getBigUint64(this.pos);return this.pos+=8,t}readI64AsBigInt(){let t=this.view.getBigInt64(this.pos);return this.pos+=8,t}readF32(){let t=this.view.getFloat32(this.pos);return this.pos+=4,t}readF64(){let t=this.view.getFloat64(this.pos);return this.pos+=8,t}};function Nd(n,t){return new Fc(t).decode(n)}var Rg=[200,400,800,1500,3e3],OT=n=>new WebSocket(n,"motionloom.1");function Ig(n){let t=null,e=0,i=!1,s,r=()=>{n.onState(e===0?"connecting":"lost");let o=(n.open??OT)(n.url);o.binaryType="arraybuffer",t=o,o.onopen=()=>{e=0,o.send(Nc({type:"hello",protocol:1})),n.onState("open")},o.onmessage=a=>{n.onMessage(Nd(new Uint8Array(a.data)),a.data.byteLength)},o.onclose=()=>{i||t!==o||(n.onState("lost"),s=setTimeout(r,Rg[Math.min(e,Rg.length-1)]),e+=1)}};return r(),{send(o){return t?.readyState!==1?!1:(t.send(Nc(o,{ignoreUndefined:!0})),!0)},close(){i=!0,clearTimeout(s),t?.close()}}}var kc=class{constructor(t,e,i=()=>[]){this.send_=t;this.limit=e;this.kinds=i}send_;limit;kinds;count=0;going=new Map;onState=()=>{};onRefused=()=>{};whyNot({name:t,size:e}){let i=this.kinds();if(i.length>0&&!i.some(r=>t.toLowerCase().endsWith(r)))return`is no motion of a skeleton; bring one of ${i.join(", ")}`;if(e===0)return"the file is empty";let s=Math.round(this.limit()/1e6);return e>this.limit()?`has more than ${String(s)} MB; put it into the folder of clips yourself`:null}async send(t){let e=this.whyNot(t);if(e!==null){this.onRefused(`${t.name}: ${e}`);return}let i=new Uint8Array(await t.arrayBuffer()),r=[...new Uint8Array(await crypto.subtle.digest("SHA-256",i))].map(a=>a.toString(16).padStart(2,"0")).join(""),o=`u${String(++this.count)}`;this.going.set(o,t.name),this.tell(),this.send_({type:"upload",id:o,name:t.name,size:i.length,sha256:r});for(let a=0;a<i.length||a===0;a+=262144){if(!this.going.has(o))return;this.send_({type:"chunk",id:o,offset:a,data:i.subarray(a,a+262144)})}}ended(t){this.going.delete(t)&&this.tell()}tell(){let t=[...this.going.values()];this.onState(t.length===0?"":`bringing ${t.join(", ")}`)}};var Lg={joints:()=>null,way:()=>[]},UT=10;function Dg(n){return{joints:(t,e,i)=>{let s=n.figures.get(t),r=e.map(a=>s?.character.roles[a]);if(!s?.track||r.some(a=>a===void 0))return null;let o=FT(s.track,i);return kT(ki(s.character,o,r))},way:t=>{let e=n.figures.get(t)?.track?.root??new Float32Array,i=[];for(let s=0;s<e.length;s+=3*UT)i.push([e[s]??0,e[s+2]??0]);return i}}}function FT(n,t){let e=n.asPart(),i=Math.min(Math.max(Math.round(t),0),n.total-1),[s,r]=[n.nJoints*4,n.moved.length*3],o=n.clone();return o.splice({...e,total:1,first:0,n:1,contacts:{},quats:e.quats.slice(i*s,(i+1)*s),root:e.root.slice(i*3,i*3+3),moves:e.moves?.slice(i*r,(i+1)*r)}),o}function kT(n){let t=[];for(let e=0;e<n.length;e+=3)t.push([n[e]??0,n[e+1]??0,n[e+2]??0]);return t}function pt(n,t){let e=n;for(let i of t){if(e===null||typeof e!="object")return;e=e[i]}return e}var Te=n=>n!==null&&typeof n=="object"&&!Array.isArray(n),De=n=>Array.isArray(n)&&n.length===2&&n.every(t=>typeof t=="number"),us=n=>Array.isArray(n)&&n.length===3&&n.every(t=>typeof t=="number"),Ne=(n,t)=>n.tracks?.[t]??[];function xi(n,t){if(n===t)return!0;if(n===null||t===null||typeof n!="object"||typeof t!="object"||Array.isArray(n)!==Array.isArray(t))return!1;let e=n,i=t,s=Object.keys(e);return s.length!==Object.keys(i).length?!1:s.every(r=>r in i&&xi(e[r],i[r]))}var ds=class extends Error{};function Bt(n,t,e){for(let i=1;i<t.length;i++){let s=pt(n,t.slice(0,i));if(s==null)return[Ng(n,t.slice(0,i),Og(t.slice(i),e))]}return xi(pt(n,t),e)?[]:[Ng(n,t,e)]}function Ng(n,t,e){return{op:"set",path:t,value:e,old:pt(n,t)??null}}function Og(n,t){let[e,...i]=n;if(e===void 0)return t;let s=Og(i,t);return typeof e=="number"?[s]:{[e]:s}}function ae(n,t){let e=pt(n,t);return e===void 0?[]:[{op:"remove",path:t,old:e}]}function ue(n,t,e){let i=pt(n,t);return Array.isArray(i)?[{op:"insert",path:[...t,i.length],value:e}]:Bt(n,t,[e])}function Ug(n,t,e,i){let s=pt(n,[...t,e]);return s===void 0||e===i?[]:[{op:"remove",path:[...t,e],old:s},{op:"insert",path:[...t,i],value:s}]}function Oe(n,t){let e=n;for(let i of t)e=Od(e,i.path,i);return e}function Od(n,t,e){let[i,...s]=t;if(i===void 0)throw new ds("a change needs a place");if(Array.isArray(n)){let o=[...n];return BT(o,i,s,e),o}if(!Te(n))throw new ds(`nothing is at ${e.path.join(".")}`);let r={...n};return zT(r,String(i),s,e),r}function BT(n,t,e,i){let s=i.op==="insert"&&e.length===0?n.length:n.length-1;if(!Number.isInteger(t)||t<0||t>s)throw new ds(`nothing is at ${i.path.join(".")}`);e.length>0?n[t]=Od(n[t],e,i):i.op==="insert"?n.splice(t,0,i.value):i.op==="remove"?n.splice(t,1):n[t]=i.value}function zT(n,t,e,i){e.length>0?n[t]=Od(n[t],e,i):i.op==="remove"?Reflect.deleteProperty(n,t):n[t]=i.value}var HT=1200,zc=class{constructor(t,e,i=()=>performance.now()){this.store=t;this.send=e;this.clock=i}store;send;clock;going=null;count=0;pending=[];ahead=0;waiting=null;onAnswer=()=>{};get canEdit(){let{shot:t,welcome:e,connection:i}=this.store.now;return t!==null&&i==="open"&&e?.reader!==!0}commit(t,e){if(t.length===0||!this.canEdit)return!1;this.going!==null&&this.finish(this.going);let{doc:i,shot:s}=this.store.now,r=Bc(i,t);return r===null||s===null?!1:(this.store.set({doc:r}),this.pending.push({rev:this.next(s.rev),ops:t}),this.send({type:"edit",base_rev:s.rev,ops:t,label:e}))}next(t){return this.ahead=Math.max(this.ahead,t)+1,this.ahead}undo(){this.canEdit&&this.going===null&&this.send({type:"undo"})}redo(){this.canEdit&&this.going===null&&this.send({type:"redo"})}begin(t){if(!this.canEdit)return null;this.stop();let e={id:`d${String(++this.count)}-${String(Math.round(this.clock()))}`,label:t,base:this.store.now.doc,ops:[],sent:null,sentAt:0,movedAt:0};this.going=e,this.store.set({isDragging:!0});let i=()=>this.going===e;return{get base(){return e.base},update:(s,r)=>{i()&&this.update(e,s,r??this.clock())},finish:()=>{i()&&this.finish(e)},cancel:()=>{i()&&this.stop()},get isOver(){return!i()}}}stop(){let{going:t}=this;return t===null?!1:(this.going=null,this.waiting=null,t.sent!==null&&(this.next(this.store.now.shot?.rev??0),this.send({type:"cancel",drag:t.id})),this.store.set({doc:t.base,isDragging:!1}),!0)}update(t,e,i){let s=Bc(t.base,e);s!==null&&(t.ops=e,t.movedAt=i,this.store.set({doc:s}),this.flush(t))}flush(t){let e=this.clock();if(this.waiting!==null&&e-this.waiting.sentAt<HT||t.ops===t.sent||t.ops.length===0)return;let{shot:i}=this.store.now;if(i===null)return;t.sent=t.ops,this.next(i.rev),this.waiting={sentAt:e,movedAt:t.movedAt,after:i.rev,rev:0};let{id:s,label:r,ops:o}=t;this.send({type:"edit",base_rev:i.rev,ops:o,label:r,transient:!0,drag:s})}finish(t){this.going=null,this.waiting=null;let{shot:e}=this.store.now,{id:i,label:s,ops:r}=t;r.length===0||e===null?t.sent!==null&&this.send({type:"cancel",drag:i}):(this.pending.push({rev:this.next(e.rev),ops:r}),this.send({type:"edit",base_rev:e.rev,ops:r,label:s,drag:i})),this.store.set({isDragging:!1})}take(t){let{going:e,store:i}=this;this.number(t);let s=Ud(i.now.plan,t.plan??i.now.plan),r=this.withPending(t),o=Ud(i.now.doc,r),a={...t,doc:xi(o,t.doc)?o:t.doc};if(e===null){i.set({shot:a,doc:o,plan:s});return}!t.transient&&!xi(r,e.base)&&(e.base=r);let l=Bc(e.base,e.ops);i.set({shot:a,doc:Ud(i.now.doc,l??e.base),plan:s}),l===null&&this.stop()}withPending(t){let{doc:e,welcome:i,shot:s}=this.store.now;if(t.transient&&s!==null)return i?.reader===!0?t.doc:e;this.pending=xi(t.doc,e)?[]:this.pending.filter(o=>o.rev>t.rev);let r=Bc(t.doc,this.pending.flatMap(o=>o.ops));return r!==null?r:(this.pending=[],t.doc)}number(t){let{waiting:e}=this;e?.rev!==0||!t.transient||t.rev>e.after&&(e.rev=t.rev)}answered(t){let{waiting:e,going:i}=this;e===null||e.rev===0||t<e.rev||(this.waiting=null,this.onAnswer(e.movedAt),i!==null&&this.flush(i))}refused(){this.waiting=null,this.pending=[];let{shot:t}=this.store.now;this.going===null&&t!==null&&this.store.set({doc:t.doc})}lost(){if(this.waiting=null,this.pending=[],this.ahead=0,this.going!==null){let{base:t}=this.going;this.going=null,this.store.set({doc:t,isDragging:!1})}}};function Ud(n,t){return xi(n,t)?n:t}function Bc(n,t){try{let e=Oe(n,t);return xi(e,n)?n:e}catch(e){if(e instanceof ds)return null;throw e}}var Fg=/^\s*([A-Za-z][A-Za-z0-9_-]*?(?:\.[A-Za-z][A-Za-z0-9_-]*?){0,2})\s*([+-]\s*[0-9]*\.?[0-9]+)?\s*$/,Dt=n=>Math.round(n*1e3)/1e3;function Jn(n,t){if(typeof n=="number")return Math.max(0,Dt(n+t));let e=Fg.exec(n);if(e===null)return n;let i=Dt(Number((e[2]??"0").replace(/\s/g,""))+t);return i===0?e[1]:`${e[1]}${i>0?"+":"-"}${String(Math.abs(i))}`}function Bo(n,t){if(typeof n=="number")return n;let e=/^\s*([0-9.]+)\s*%\s*$/.exec(n);return e===null?null:Number(e[1])/100*t}function Hc(n,t,e){let i=Math.min(Math.max(t,0),e);return typeof n=="string"&&n.trim().endsWith("%")?`${String(Math.round(1e3*i/Math.max(e,1e-6))/10)}%`:Dt(i)}function fs(n,t,e,i){if(typeof n=="number")return n;let s=Fg.exec(n);if(s===null)return null;let r=Number((s[2]??"0").replace(/\s/g,"")),o=GT(s[1].split("."),t,e,i);return o===null?null:o+r}function GT(n,t,e,i){if(n.length===1){let l=t.marks?.[n[0]]?.time;return typeof l=="number"?l:null}let s=n.length===3?n[0]:i,[r,o]=n.slice(-2),a=VT(e,s,r);return a===void 0?null:(o==="end"?a.last:a.first)/e.fps}var VT=(n,t,e)=>n.tracks[t]?.find(i=>i.id===e);function Fd(n,t,e){let i=e*n.fps,s=(n.tracks[t]??[]).filter(r=>!r.layer);return s.find(r=>r.first<=i&&i<r.last)??s.at(-1)}function Gc(n,t,e){let i=Fd(n,t,e);if(i===void 0)return Dt(e);let s=Dt(e-i.first/n.fps);return Jn(`${i.id}.start`,s)}function hn(n){let t=Math.floor(n/60),e=(n-60*t).toFixed(2).padStart(5,"0");return`${String(t)}:${e}`}var Vc={type:"number",unit:"s",min:0,step:.1},Wc={key:"facing",label:"Facing",type:"number",unit:"\xB0",min:-360,max:360,step:5,usual:"as it comes"},kg={key:"style",label:"Style",type:"style",usual:"any"},Bg={key:"model",label:"Model",type:"model",usual:"learned from the clips"},zg=[{key:"begin",label:"Begins",type:"time",usual:"where the one before ends"},{key:"by",label:"Ends by",type:"time",usual:"by its length"},{key:"for",label:"Lasts",...Vc,usual:"until the next one"}],Hg={key:"seed",label:"Seed",type:"number",min:0,step:1,usual:"from the shot"},zo={walk:{what:"woven out of captured pieces",fields:[{key:"to",label:"To",type:"place",usual:"anywhere"},Wc,kg]},gait:{what:"at any speed along a way",fields:[{key:"path",label:"Way",type:"places",usual:"straight ahead"},{key:"speed",label:"Speed",type:"slider",unit:"m/s",min:.2,max:5,step:.05,usual:"from way and time",start:1.3},Bg,{key:"person",label:"Person",type:"text",usual:"any"},kg]},idle:{what:"waiting, alive",fields:[{key:"liveliness",label:"Liveliness",type:"slider",min:0,max:3,step:.05,usual:"1",start:1},Bg]},between:{what:"from pose to pose",fields:[]},clip:{what:"as it was captured",fields:[{key:"clip",label:"Clip",type:"clip"},{key:"from",label:"From",...Vc,usual:"its begin"},{key:"to",label:"To",...Vc,usual:"its end"}]},edit:{what:"of a motion model",fields:[{key:"model",label:"Model",type:"model"}]},synthesize:{what:"what a constraint file asks for",fields:[{key:"file",label:"File",type:"text",usual:"the keys here"},{key:"character",label:"Plays",type:"text",usual:"of a scene, who has this name"},{key:"position",label:"Place",type:"place",usual:"where the body is"},Wc,{key:"generator",label:"Method",type:"choice",usual:"graph",options:["graph","gait","idle","inbetween","model"]},{key:"moved",label:"Moved to the body",type:"flag",usual:"true"}]},reach:{what:"a hand, foot or the eyes at a point",fields:[{key:"joint",label:"Joint",type:"joint"},{key:"target",label:"Point",type:"point"},{key:"at",label:"There at",type:"time"},{key:"hold",label:"Stays",...Vc,usual:"a moment"},{key:"over",label:"Over",type:"text",usual:"what is there then"}]},correct:{what:"feet and balance by physics",fields:[]}},Xc={body:[{key:"time",label:"At",type:"time"},{key:"position",label:"Place",type:"place"},Wc],joints:[{key:"time",label:"At",type:"time"},{key:"joint",label:"Joint",type:"joint"},{key:"position",label:"Point",type:"point"}],pose:[{key:"time",label:"At",type:"time"},{key:"clip",label:"Clip",type:"clip"},{key:"frame",label:"Frame",type:"number",min:0,step:1},{key:"position",label:"Place",type:"place",usual:"where the body is"},Wc],poses:[{key:"time",label:"At",type:"time"},{key:"clip",label:"Clip",type:"clip"},{key:"frame",label:"Frame",type:"number",min:0,step:1}],style:[{key:"from",label:"From",type:"time"},{key:"to",label:"To",type:"time"},{key:"label",label:"Style",type:"style"}],still:[{key:"from",label:"From",type:"time"},{key:"to",label:"To",type:"time"}],paths:[{key:"points",label:"Points",type:"places"}]};function Gg(n,t,e,i){let s=i?.clips[0]?.name??"walk",r={walk:{for:3},gait:{speed:1.3,for:3},idle:{for:3},between:{keys:[{time:Dt(e+1),clip:s,frame:0}]},clip:{clip:s},synthesize:{for:3,constraints:{body:[{time:"100%",position:[0,2]}]},moved:!1},edit:{model:i?.models[0]??"model.npz",for:2},reach:{joint:"right_hand",target:[.3,1.2,.5],at:Dt(e),hold:.3}};return{id:t,do:n,...r[n]}}var WT=new Set(["begin","by","until","at","time","over"]);function Ho(n,t,e){let i=[];for(let[s,r]of Object.entries(n.tracks??{})){let o=(a,l)=>{if(typeof a=="string")WT.has(String(l.at(-1)))&&Vg(a,s,t,e)&&i.push({who:s,path:l,when:a});else if(Array.isArray(a))a.forEach((c,h)=>o(c,[...l,h]));else if(Te(a))for(let[c,h]of Object.entries(a))o(h,[...l,c])};o(r,["tracks",s])}return(n.meet??[]).forEach((s,r)=>{let o=s.time;typeof o!="string"||!Vg(o,"",t,e)||i.push({who:"",path:["meet",r,"time"],when:o})}),i}function Vg(n,t,e,i){if(t===e&&n===i)return!0;let s=(/^[^+-]*/.exec(n.replace(/-(?=[A-Za-z_])/g,"_"))?.[0]??"").trim().split("."),r=i.replaceAll("-","_");return s.length===2?t===e&&s[0]===r:s.length===3&&s[0]===e.replaceAll("-","_")&&s[1]===r}function kd(n,t,e){if(n===t)return e;let i=n.indexOf(`${t}.`);return i<0?n:`${n.slice(0,i)}${e}${n.slice(i+t.length)}`}var Bd=new Set(["reach","correct"]),zd=.2,fe=(n,t)=>["tracks",n,t],jn=(n,t,e)=>Ne(n,t)[e],qc=n=>n?.do!=="synthesize"||n.moved===!1&&n.position===void 0;function rr(n,t,e,i,s){let r=jn(n,e,i),o=t.tracks[e]?.find(u=>u.index===i);if(r===void 0||o===void 0)return[];let a=fe(e,i),l=XT(n,a,r,o,t,s);if(l!==null)return l;let c=(o.last-o.first)/t.fps,h=Math.max(s,zd-c);for(let u of["by","until"]){let d=r[u];if(typeof d=="number"||typeof d=="string")return Bt(n,[...a,u],Jn(d,h))}return Bt(n,[...a,"for"],Dt(c+h))}function XT(n,t,e,i,s,r){if(e.do==="reach")return $T(n,t,e,r);if(e.do==="between")return qT(n,t,e,r);let o=e.for===void 0&&e.by===void 0;return e.do==="clip"&&o?YT(n,t,e,i,s,r):null}function $T(n,t,e,i){let s=typeof e.hold=="number"?e.hold:0;return Bt(n,[...t,"hold"],Dt(Math.max(0,s+i)))}function qT(n,t,e,i){let s=e.keys;if(!Array.isArray(s)||s.length===0)return[];let r=[...t,"keys",s.length-1,"time"],o=pt(n,r);return typeof o=="number"||typeof o=="string"?Bt(n,r,Jn(o,i)):[]}function YT(n,t,e,i,s,r){let o=typeof e.from=="number"?e.from:0,a=(i.last-i.first)/s.fps,l=typeof e.to=="number"?e.to:o+a;return Bt(n,[...t,"to"],Dt(Math.max(o+zd,l+r)))}function Wg(n,t,e,i,s){let r=jn(n,e,i);if(r===void 0)return[];let o=fe(e,i);if(r.do==="reach")return $c(n,[...o,"at"],s);let a=r.begin;if(a!=null)return $c(n,[...o,"begin"],s);let l=Yc(t,e,i);if(l===void 0)return[];let c=rr(n,t,e,l.index,s);return typeof r.for=="number"?[...c,...Bt(n,[...o,"for"],Dt(Math.max(zd,r.for-s)))]:c}function $c(n,t,e){let i=pt(n,t);return typeof i=="number"||typeof i=="string"?Bt(n,t,Jn(i,e)):[]}function Yc(n,t,e){let i=(n.tracks[t]??[]).filter(r=>!r.layer),s=i.findIndex(r=>r.index===e);return s>0?i[s-1]:void 0}function Xg(n,t,e,i,s){let r=jn(n,e,i);if(r===void 0)return[];let o=fe(e,i);if(r.do==="reach")return $c(n,[...o,"at"],s);let a=Yc(t,e,i),l=r.begin,c=l!=null?$c(n,[...o,"begin"],s):a===void 0?[]:rr(n,t,e,a.index,s);return c.length===0?[]:typeof(r.by??r.until)=="number"?[...c,...rr(n,t,e,i,s)]:c}function $g(n,t,e,i,s){if(i===s)return[];let r=[],o=n;for(let a of t.tracks[e]??[]){if(a.layer)continue;let l=KT(o,t,e,a);r=[...r,...l],o=Oe(o,l)}return[...r,...Ug(o,["tracks",e],i,s)]}function KT(n,t,e,i){let s=fe(e,i.index),r=jn(n,e,i.index),o=r?.by!==void 0?"by":"until";if(typeof r?.[o]!="number")return[];let a=ae(n,[...s,o]),l=Dt((i.last-i.first)/t.fps);return[...a,...Bt(Oe(n,a),[...s,"for"],l)]}function qg(n,t,e,i){let s=t.tracks[e]?.find(a=>a.index===i)?.id,o=(s===void 0?[]:Ho(n,e,s).flatMap(a=>{let l=fs(a.when,n,t,a.who);if(a.path.at(-1)==="over")return ae(n,a.path);let c=ZT(t,e,i,a.path);return c!==null?Bt(n,a.path,kd(a.when,s,c)):l===null?[]:Bt(n,a.path,Dt(l))})).filter(a=>!(a.path[1]===e&&a.path[2]===i));return[...o,...ae(Oe(n,o),fe(e,i))]}function ZT(n,t,e,i){let s=i[1]!==t&&["by","until"].includes(String(i.at(-1))),[r,o]=(n.tracks[t]??[]).filter(a=>!a.layer).slice(-2);return s&&o?.index===e&&r!==void 0?r.id:null}function Yg(n,t,e,i,s){let r=t.tracks[e]?.find(a=>a.index===i)?.id,o=Bt(n,[...fe(e,i),"id"],s);return r===void 0?o:[...o,...JT(n,r,s),...Ho(n,e,r).flatMap(a=>Bt(n,a.path,kd(a.when,r,s)))]}function JT(n,t,e){return Object.entries(n.joins??{}).flatMap(([i,s])=>{let r=i.split("->");if(r.length!==2||!r.includes(t))return[];let o=r.map(a=>a===t?e:a).join("->");return[...ae(n,["joins",i]),{op:"set",path:["joins",o],value:s,old:null}]})}function Hd(n,t,e){let i=Ne(n,e).length;return Ne(t,e).length>i?fe(e,i).join("/"):null}function xn(n,t,e,i){let s=new Set([...Ne(n,e).map(o=>o.id),...(t?.tracks[e]??[]).map(o=>o.id)]),r=i;for(let o=2;s.has(r);o++)r=`${i}_${String(o)}`;return r}var Kg=3,jT=3.2,Zg=.15,Jg=.3,QT=.4,tA=1;function Kc(n,t){let[e,i]=[t[2]-n[2],n[0]-t[0]],s=Math.hypot(e,i);return s>1e-6?[e/s,i/s]:[0,1]}function jg(n,t,e,i){let s=(kn(n,t)?.last??0)/n.fps;return Bd.has(e)?Math.max(0,Math.min(i,s-Jg-QT)):s}var kn=(n,t)=>(n.tracks[t]??[]).filter(e=>!e.layer).at(-1);function Qg(n,t,e,i,s,r,o){let a=xn(n,t,e,i),l=Gg(i,a,s,r);if(i==="between")return eA(l,`${a}.start+${String(tA)}`);if(i==="walk"&&o!==null)return{...l,to:nA(o.at,o.ahead),for:jT};if(i!=="reach")return l;let c=o===null?l.target:iA(o);return{...l,target:c??null,at:Gc(t,e,s),hold:Jg}}function eA(n,t){let e=Array.isArray(n.keys)?n.keys:[];return{...n,keys:e.map(i=>({...i,time:t}))}}var nA=(n,t)=>[Dt(n[0]+Kg*t[0]),Dt(n[1]+Kg*t[1])];function iA({hand:[n,t,e],ahead:i}){return[Dt(n+Zg*i[0]),Dt(t),Dt(e+Zg*i[1])]}function Zc(n,t,e,i){let s=Oe(n,i),r=Ne(s,e).at(-1);if(!(Ne(s,e).length>Ne(n,e).length)||r===void 0||Bd.has(r.do))return i;let a=`${e}.${String(r.id)}.end`;return Object.keys(t.tracks).filter(l=>l!==e).reduce((l,c)=>[...l,...Jc(Oe(n,l),t,c,a)],i)}function Jc(n,t,e,i){let s=kn(t,e),r=s===void 0?void 0:Ne(n,e)[s.index];if(s===void 0||r===void 0)return[];if(r.do!=="idle"||Ho(n,e,s.id).length>0){let l=xn(n,t,e,"wait");return ue(n,["tracks",e],{id:l,do:"idle",until:i})}let o=fe(e,s.index),a=["for","by"].flatMap(l=>ae(n,[...o,l]));return[...a,...Bt(Oe(n,a),[...o,"until"],i)]}var sA=new Set(["gaze","eyes","head"]);function Gd(n,t){let e=t0(n,t)??n.toLowerCase();return sA.has(e)?"gaze":/hand|wrist|finger/.test(e)?"hand":/foot|toe|ankle/.test(e)?"foot":"joint"}function t0(n,t){return Object.entries(t?.roles??{}).find(([i,s])=>i===n||t?.names[s]===n)?.[0]??null}var Vd=(n,t)=>t0(n,t)??n,Go=n=>n.replaceAll("_"," ");var rA=1;function e0(n,t,e,i){let s=pt(n,[...fe(e,i),"keys"]),r=Array.isArray(s)?s.filter(Te).at(-1):void 0;return r===void 0?null:{time:Jn(Wd(r.time,n,t,e,i),rA),clip:r.clip??"",frame:r.frame??0}}function Wd(n,t,e,i,s){let r=e.tracks[i]?.find(a=>a.index===s),o=fs(n,t,e,i);return typeof n=="string"||r===void 0||o===null?n:Jn(`${r.id}.start`,o-r.first/e.fps)}var n0=.12,oA=1.15,aA=2.2,lA=1;function cA(n,{at:t,ahead:e}){let[i,s]=[n[0]-t[0],n[1]-t[1]],r=Math.hypot(i,s),o=e===null||r<1e-6?1:(e[0]*i+e[1]*s)/r,a=Math.acos(Math.min(1,Math.max(-1,o)))/Math.PI;return Math.max(1,Math.round(10*(r/oA+aA*a+lA))/10)}var $d=n=>n.lane==="spans"||n.lane==="layer";function Vo(n,t,e,i){if($d(e)||e.kind==="reach")return Xg(n,t,e.who,e.span,i);if(e.kind==="goal")return rr(n,t,e.who,e.span,i);if(e.time===null)return[];if(e.kind==="pose"){let o=Wd(pt(n,e.time),n,t,e.who,e.span);return Bt(n,e.time,Jn(o,i))}let s=Xd(n,t,e,e.time,i),r=[...e.path,"to"];return pt(n,r)===void 0?s:[...s,...Xd(n,t,e,r,i)]}function jc(n,t,e,i,s){if($d(e)||e.kind==="reach")return(i==="start"?Wg:rr)(n,t,e.who,e.span,s);if(e.time?.at(-1)!=="from")return Vo(n,t,e,s);let r=i==="start"?e.time:[...e.path,"to"];return Xd(n,t,e,r,s)}function Xd(n,t,e,i,s){let r=qd(t,e.who,e.span),o=pt(n,i),a=o===void 0?r:Bo(o,r);return a===null?[]:Bt(n,i,Hc(o,a+s,r))}function qd(n,t,e){let i=n.tracks[t]?.find(s=>s.index===e);return i===void 0?0:(i.last-i.first)/n.fps}function or(n,t,e){return $d(e)||e.kind==="reach"?qg(n,t,e.who,e.span):e.kind==="pose"?pt(n,e.path.slice(0,-1)).length>1?ae(n,e.path):[]:ae(n,e.path)}function i0(n,t,e,i,s,r,o){let[a,l]=r.map(Dt),c=t.tracks[e]?.find(p=>p.index===i&&p.kind==="walk"),h=(c?.first??0)/t.fps,u=qd(t,e,i??-1),d=s-h;if(c!==void 0&&d>.25&&d<u-.25){let p={time:Dt(d),position:[a,l]};return ue(n,[...fe(e,c.index),"constraints","body"],p)}let f=xn(n,t,e,"walk");return ue(n,["tracks",e],{id:f,do:"walk",to:[a,l],for:cA([a,l],o)})}function Qc(n,t,e,i,s,r,o,a){let l=r.map(Dt),c=Vd(i,a),h=o.find(u=>hA(n,u,c,s,a));return h!==void 0?ar(n,h.path,l):ue(n,["tracks",e],{id:xn(n,t,e,c),do:"reach",joint:c,target:l,at:Gc(t,e,s),hold:.2})}function hA(n,t,e,i,s){if(t.kind!=="reach"&&t.kind!=="joints")return!1;let r=pt(n,[...t.path,"joint"]);return typeof r!="string"||Vd(r,s)!==e?!1:i>=t.start-n0&&i<=t.end+n0}function ar(n,t,e){let i=pt(n,[...t,"target"])!==void 0?"target":"position",s=pt(n,[...t,i]),r=e.map(o=>Dt(o));return typeof s=="string"?Bt(n,["marks",s,"point"],r):Bt(n,[...t,i],r)}function s0(n,t,e,i,s,r){let o=Fd(t,e,(s+r)/2),a=o===void 0?void 0:jn(n,e,o.index);if(o===void 0||a===void 0)return[];let l=fe(e,o.index);if(a.do==="gait")return Bt(n,[...l,"style"],i);if(a.do!=="walk")return[];let c=o.first/t.fps,h=qd(t,e,o.index),u=Hc(void 0,s-c,h),d=Hc(void 0,r-c,h);return ue(n,[...l,"constraints","style"],{from:u,to:d,label:i})}var uA=.4,r0=.1,dA=40,o0=16,a0=16,Bn=(n,t)=>typeof n=="number"?n:t;function Wo(n){return n==="stairs"||n==="slope"?"heading":n==="box"?"angle":null}function Yd(n){if(n.shape==="stairs"){let e=Bn(n.tread,.3),i=Bn(n.landing,2*e),s=e*(Bn(n.steps,1)-1)+i;return{aside:Bn(n.width,3)/2,back:e,ahead:s}}if(n.shape==="slope")return{aside:Bn(n.width,3)/2,back:0,ahead:Bn(n.length,20)+Bn(n.landing,0)};let t=De(n.size)?n.size:[0,0];return{aside:(t[0]??0)/2,back:(t[1]??0)/2,ahead:(t[1]??0)/2}}var eh=n=>n.shape==="cylinder"?Bn(n.radius,.3):Yd(n).ahead;function th(n){let t=Wo(String(n.shape));return t===null?0:Bn(n[t],0)*Math.PI/180}function l0(n,t){if(n.shape==="cylinder"){let l=Bn(n.radius,.3);return Array.from({length:a0+1},(c,h)=>{let u=2*Math.PI*h/a0;return[t[0]+l*Math.sin(u),t[1]+l*Math.cos(u)]})}let{aside:e,back:i,ahead:s}=Yd(n),[r,o]=[Math.sin(th(n)),Math.cos(th(n))];return[[-e,-i],[e,-i],[e,s],[-e,s],[-e,-i]].map(([l,c])=>[t[0]+l*o+c*r,t[1]-l*r+c*o])}function Kd(n,t,e){let[i,s]=[e[0]-t[0],e[1]-t[1]];if(n.shape==="cylinder")return Math.max(Math.hypot(i,s)-Bn(n.radius,.3),0);let{aside:r,back:o,ahead:a}=Yd(n),[l,c]=[Math.sin(th(n)),Math.cos(th(n))],h=Math.abs(i*c-s*l)-r,u=i*l+s*c,d=Math.max(u-a,-o-u);return Math.hypot(Math.max(h,0),Math.max(d,0))}function nh(n,t,e){let i=s=>e.every(r=>Kd(n,s,r)>=uA);for(let s=0;s<=dA;s++)for(let r=0;r<(s===0?1:o0);r++){let o=2*Math.PI*r/o0,a=[t[0]+s*r0*Math.sin(o),t[1]+s*r0*Math.cos(o)];if(i(a))return a}return t}var He=n=>n.join("/");function c0(n,t,e,i){return(t.tracks[e]??[]).flatMap(r=>{let o=jn(n,e,r.index);return o===void 0?[]:fA(n,t,e,r,o,i)}).sort((r,o)=>r.start-o.start)}function fA(n,t,e,i,s,r){let o=fe(e,i.index),a=i.first/t.fps,l=i.last/t.fps,c={who:e,span:i.index,start:a,length:l-a};return i.kind==="reach"?[pA(n,t,c,s,r)]:[{id:He(o),who:e,lane:i.layer?"layer":"spans",path:o,start:a,end:l,span:i.index,kind:i.kind,label:i.id,time:null},...mA(c,s),...gA(n,t,c,s),...xA(c,s,r)]}function pA(n,t,e,i,s){let r=String(i.joint??"hand"),o=fe(e.who,e.span),a=fs(i.at??0,n,t,e.who)??e.start,l=typeof i.hold=="number"?i.hold:0;return{id:He(o),who:e.who,lane:Gd(r,s),path:o,span:e.span,kind:"reach",label:Go(r),start:a,end:a+l,time:[...o,"at"]}}function mA(n,t){let e=fe(n.who,n.span),i=[],s=n.start+n.length;if(t.to!==void 0&&t.do==="walk"){let o=typeof t.to=="string"?`to ${t.to}`:"goal";i.push(ih(n,"body",[...e,"to"],"goal",o,s,s,null))}let r=t.path;if(Array.isArray(r)&&r.length>0){let o=`way, ${String(r.length)} ${r.length===1?"point":"points"}`;i.push(ih(n,"path",[...e,"path"],"path",o,n.start,s,null))}return i}function gA(n,t,e,i){let s=i.do==="between"?i.keys:void 0;return Array.isArray(s)?s.filter(Te).map((r,o)=>{let a=[...fe(e.who,e.span),"keys",o],l=fs(r.time,n,t,e.who)??e.start+e.length,c=`${String(r.clip)} ${String(r.frame)}`;return ih(e,"body",a,"pose",c,l,l,[...a,"time"])}):[]}var yA={body:{lane:"body",label:"checkpoint"},poses:{lane:"body",label:"pose"},key_poses:{lane:"body",label:"own pose"},still:{lane:"body",label:"stand"},joints:{lane:"joint",label:"joint"},paths:{lane:"path",label:"path"},style:{lane:"style",label:"style"}};function xA(n,t,e){let i=t.constraints;return Te(i)?Object.entries(yA).flatMap(([s,{lane:r,label:o}])=>{let a=i[s];return Array.isArray(a)?a.flatMap((l,c)=>{if(!Te(l))return[];let h=[...fe(n.who,n.span),"constraints",s,c],u=l.joint,d=typeof u=="string"?Gd(u,e):r,f=u??l.label??l.clip??o;return[_A(n,d,h,s,Go(String(f)),l)]}):[]}):[]}function _A(n,t,e,i,s,r){let o=r.time!==void 0?"time":"from",a=Bo(r[o]??0,n.length)??0,l=r.to,c=o==="time"?a:Bo(l??n.length,n.length)??n.length,[h,u]=[n.start+a,n.start+c];return ih(n,t,e,i,s,h,u,[...e,o])}function ih(n,t,e,i,s,r,o,a){return{id:He(e),who:n.who,span:n.span,lane:t,path:e,kind:i,label:s,start:r,end:o,time:a}}var h0={cylinder:"center",box:"center",heightmap:"origin",slope:"start",stairs:"start"},sh={post:{list:"avoid",label:"post",fields:{shape:"cylinder",radius:.3,top:1.2}},box:{list:"avoid",label:"box",fields:{shape:"box",size:[.8,.6],top:.9}},slope:{list:"ground",label:"slope",fields:{shape:"slope",heading:0,steepness:5,length:3,width:2,landing:1.5}},stairs:{list:"ground",label:"stairs",fields:{shape:"stairs",heading:0,rise:.17,tread:.3,steps:4,width:2,landing:1.5}}};function _i(n){return["avoid","ground"].flatMap(t=>(n[t]??[]).map((e,i)=>{let s=String(e.shape),r=[t,i],o=[...r,h0[s]??"center"],a=pt(n,o),l=s==="cylinder"?"post":s;return{path:r,shape:s,place:o,at:De(a)?a:[0,0],label:l}}))}function u0(n,t){let e=sh[t]?.list;return e===void 0?null:[e,n[e]?.length??0]}function d0(n,t,e,i=[]){let s=sh[t];if(s===void 0)return[];let r=nh(s.fields,e,i),o=h0[String(s.fields.shape)]??"center";return ue(n,[s.list],{...s.fields,[o]:r.map(Dt)})}var f0=(n,t,e)=>Bt(n,t.place,e.map(Dt));function p0(n,t,e){let i=Wo(t.shape);return i===null?[]:Bt(n,[...t.path,i],Math.round(e*10)/10)}function P(n,t={},...e){let i=document.createElement(n);for(let[s,r]of Object.entries(t))r===void 0||r===!1||i.setAttribute(s,r===!0?"":String(r));return i.append(...e),i}function vt(n,t,e={}){let i=P("button",{type:"button",...e},n);return i.addEventListener("click",t),i}function Se(n,t){n.textContent!==t&&(n.textContent=t)}function rh(n){return n instanceof HTMLElement?n instanceof HTMLInputElement?!["checkbox","radio","button"].includes(n.type):n.isContentEditable||["TEXTAREA","SELECT"].includes(n.tagName):!1}function ps(n,t,e){n.currentTarget.setPointerCapture(n.pointerId);let s=a=>l=>{l.pointerId===n.pointerId&&a(l)},r=s(t),o=s(a=>{window.removeEventListener("pointermove",r),window.removeEventListener("pointerup",o),window.removeEventListener("pointercancel",o),e(a)});window.addEventListener("pointermove",r),window.addEventListener("pointerup",o),window.addEventListener("pointercancel",o)}var vA=7e3,bA=60,SA=3;function Qn(n,t){let e=[...n.now.notices.filter(s=>s.message!==t.message),t];n.set({notices:e.slice(-SA)});let i=bA*(t.hint?.length??0);t.isGood&&setTimeout(()=>{m0(n,t)},vA+i)}function m0(n,t){n.set({notices:n.now.notices.filter(e=>e!==t)})}function g0(n,t){t.on(["notices"],({notices:e})=>{n.replaceChildren(...e.map(i=>{let s=P("span",{},i.message),r=i.hint?[P("span",{class:"quiet"},i.hint)]:[],o=vt("\xD7",()=>{m0(t,i)},{"aria-label":"Close"}),a=P("div",{class:"told"},s,...r);return P("div",{class:i.isGood?"notice good":"notice"},a,o)}))})}var oh=class{constructor(t,e){this.stage=t;this.store=e;e.on(["isDragging"],(i,s)=>{!i.isDragging&&s.isDragging&&this.hide()})}stage;store;kept=new Map;stays=!1;begin(){this.stays||(this.kept=this.copies(),this.show())}toggle(){return this.stays=!this.stays,this.stays?(this.kept=this.copies(),this.show()):this.clear(),this.stays}hide(){this.stays||this.clear()}copies(){let{who:t}=this.store.now,e=t===null?null:this.stage.figures.get(t)?.track;return t===null||!e?new Map:new Map([[t,e.clone()]])}show(){for(let[t,e]of this.kept)this.stage.setGhost(t,e)}clear(){for(let t of this.kept.keys())this.stage.setGhost(t,null);this.kept.clear()}};var MA=.1,wA=.5,EA="cursor/ground",TA={ArrowUp:[1,0],ArrowDown:[-1,0],ArrowRight:[0,1],ArrowLeft:[0,-1]};function Zd(n,t,e){let i=n.rig.camera.getWorldDirection(new C),s=Math.abs(i.x)>Math.abs(i.z),r=s?Math.sign(i.x):0,o=s?0:Math.sign(i.z)||1;return[t*r-e*o,t*o+e*r]}var ah=class{constructor(t){this.tools=t;let{canvas:e}=t.stage;e.addEventListener("keydown",i=>{i.ctrlKey||i.metaKey||i.altKey||!this.press(i)||(i.preventDefault(),i.stopPropagation())}),e.addEventListener("blur",()=>{this.hide()})}tools;at=null;press(t){if(t.key==="Enter")return this.at===null?this.move(this.tools.start()):this.tools.place(new C(this.at[0],0,this.at[1])),!0;if(this.at===null)return!1;if(t.key==="Escape")return this.hide(),!0;let e=TA[t.key];if(e===void 0)return!1;let i=t.shiftKey?wA:MA,[s,r]=Zd(this.tools.stage,i*e[0],i*e[1]);return this.move([this.at[0]+s,this.at[1]+r]),!0}move(t){this.at=[Dt(t[0]),Dt(t[1])];let[e,i]=this.at,s=`${e.toFixed(1)}, ${i.toFixed(1)}: Enter places`,r={kind:"ring",position:this.at,label:s};this.tools.stage.setDrawables(new Map([[EA,r]]),"cursor/"),this.tools.say(`x ${e.toFixed(1)}, z ${i.toFixed(1)} metres`)}hide(){this.at!==null&&(this.at=null,this.tools.stage.setDrawables(new Map,"cursor/"))}};function y0(n,t,e,i){let s=[AA(n,t,e)];for(let r of i)qc(Ne(n,e)[r.span])&&(r.kind==="goal"&&s.push(CA(n,r)),(r.kind==="body"||r.kind==="pose")&&s.push(PA(n,r)));return s.filter(r=>r!==null)}function AA(n,t,e){if(t.tracks[e]===void 0)return null;let i=["cast",e,"start"],s=pt(n,i),r=Te(s)?s:{},o=De(r.position)?r.position:[0,0],a=typeof r.facing=="number"?r.facing:0;return{id:He(i),who:e,position:[...i,"position"],facing:[...i,"facing"],at:o,angle:a,time:0,label:`${e} begins`}}function CA(n,t){let i=[...t.path.slice(0,-1),"facing"],s=pt(n,t.path);return typeof s=="string"?x0(n,s,t,i):De(s)?Jd(n,t,t.path,i,s):null}function x0(n,t,e,i){let s=["marks",t],r=pt(n,[...s,"position"]);if(!De(r))return null;let o=pt(n,i)===void 0?[...s,"facing"]:i;return Jd(n,{...e,label:t},[...s,"position"],o,r)}function PA(n,t){let e=[...t.path,"position"],i=pt(n,e),s=[...t.path,"facing"];return typeof i=="string"?x0(n,i,t,s):De(i)?Jd(n,t,e,s,i):null}function Jd(n,t,e,i,s){let r=pt(n,i);return{id:t.id,who:t.who,position:e,facing:i,at:s,time:t.start,angle:typeof r=="number"?r:null,label:t.label}}var lr=(n,t,e)=>Bt(n,t.position,e.map(Dt));function cr(n,t,e){let i=((e+180)%360+360)%360-180;return Bt(n,t.facing,Math.round(i*10)/10)}function _0(n,t){return Ne(n,t).flatMap((e,i)=>{let s=["tracks",t,i],r=[[...s,"path"]],o=pt(n,[...s,"constraints","paths"]);return Array.isArray(o)&&o.forEach((a,l)=>r.push([...s,"constraints","paths",l,"points"])),r.flatMap(a=>RA(n,a))})}function RA(n,t){let e=pt(n,t);return Array.isArray(e)?e.flatMap((i,s)=>{if(De(i))return[{path:[...t,s],at:i}];let r=["marks",String(i),"position"],o=pt(n,r);return De(o)?[{path:r,at:o}]:[]}):[]}var hr="shot/",jd=.52;function Bi(n){let{doc:t,plan:e}=n.now,i={places:new Map,points:new Map,ways:new Map,solids:new Map};if(e===null)return i;for(let s of Object.keys(e.tracks)){let r=n.items(s);for(let o of y0(t,e,s,r))i.places.set(`${hr}place/${o.id}`,o);for(let o of IA(t,r))i.points.set(`${hr}point/${o.item.id}`,o);for(let o of _0(t,s))i.ways.set(`${hr}way/${He(o.path)}`,o)}for(let s of _i(t))i.solids.set(`${hr}solid/${He(s.path)}`,s);return i}function IA(n,t){return t.flatMap(e=>{if(e.kind!=="reach"&&e.kind!=="joints")return[];if(!qc(jn(n,e.who,e.span)))return[];let i=pt(n,[...e.path,e.kind==="reach"?"target":"position"]),s=typeof i=="string"?pt(n,["marks",i,"point"]):i;return us(s)?[{item:e,at:s}]:[]})}function v0(n,t,e){let{who:i,doc:s}=n.now,r=new Map;for(let[o,a]of t.places)r.set(o,LA(n,a)),a.id===e&&r.set(`${hr}turn/${a.id}`,NA(a));for(let[o,a]of t.points){let l=a.item.who===i?`${a.item.label} ${hn(a.item.start)}`:"";r.set(o,{kind:"point",position:a.at,label:l})}OA(t,r);for(let[o,a]of t.solids){r.set(o,{...pt(s,a.path),kind:a.shape});let l=He(a.path)===e?DA(s,a):null;l!==null&&r.set(`${hr}turn/${He(a.path)}`,l)}return r}function LA(n,t){let{who:e,characters:i}=n.now,s=t.who===e,r=t.time??0,o=s&&r>0?`${t.label} ${hn(r)}`:"",a=s?void 0:i[t.who??""]?.color;return{kind:"ring",position:t.at,facing:t.angle??void 0,label:o,color:a}}function Xo(n){let t=(n.angle??0)*Math.PI/180;return[n.at[0]+jd*Math.sin(t),.04,n.at[1]+jd*Math.cos(t)]}function Qd(n,t){let e=Wo(t.shape),i=pt(n,t.path);if(e===null||!Te(i))return null;let s=Number(i[e]??0)*Math.PI/180,r=Math.min(eh(i),6)+jd/2;return[t.at[0]+r*Math.sin(s),.04,t.at[1]+r*Math.cos(s)]}function DA(n,t){let e=Qd(n,t);return e&&{kind:"point",position:e,label:"turn"}}var NA=n=>({kind:"point",position:Xo(n),label:n.angle===null?"turn":""});function OA(n,t){let e=new Map;for(let[i,s]of n.ways){let r=i.slice(0,i.lastIndexOf("/"));e.set(r,[...e.get(r)??[],s.at])}for(let[i,s]of e)t.set(`${i}/`,{kind:"path",points:s,knots:s})}function b0(n,t,e){let i=t.length>1?t:[];for(let s of e)i.includes(s)||n.labels.remove(`who/${s}`);for(let s of i){let r=()=>{let o=n.figures.get(s),a=o?.character.roles.head;return o===void 0||a===void 0?null:o.jointAt(a)};n.labels.set(`who/${s}`,s,r,"who")}n.invalidate()}var UA=1.2,S0=.4,FA=new Set(["idle","between"]);function M0(n,t,e,i){let{who:s,time:r}=e;if(s===null||r===null||e.position[0]==="cast")return[];let o=kA(n,t,s,r)+S0,a=new Map;for(let l of i){if(l.who!==s||l.start<r-S0||l.start>o)continue;let c=BA(n,l);c===null||Math.hypot(c.at[0]-e.at[0],c.at[2]-e.at[1])>UA||a.set(c.path.join("/"),c)}return[...a.values()]}function kA(n,t,e,i){let s=(t.tracks[e]??[]).filter(o=>!o.layer),r=i;for(let o of s)Math.abs(o.first/t.fps-r)<1.5/t.fps&&FA.has(Ne(n,e)[o.index]?.do??"")&&(r=o.last/t.fps);return r}function BA(n,t){if(t.kind!=="reach"&&t.kind!=="joints")return null;let e=[...t.path,t.kind==="reach"?"target":"position"],i=pt(n,e),s=typeof i=="string"?["marks",i,"point"]:e,r=pt(n,s);return us(r)?{path:s,at:r}:null}function lh(n,t,e,i,s){let r=[i[0]-e.at[0],i[1]-e.at[1]],o=M0(n,t,e,s).map(a=>[a.path,[a.at[0]+r[0],a.at[1],a.at[2]+r[1]]]);return w0(n,lr(n,e,i),o)}function ch(n,t,e,i,s){let r=(i-(e.angle??i))*Math.PI/180,[o,a]=[Math.sin(r),Math.cos(r)],l=M0(n,t,e,s).map(c=>{let[h,u]=[c.at[0]-e.at[0],c.at[2]-e.at[1]];return[c.path,[e.at[0]+h*a+u*o,c.at[1],e.at[1]-h*o+u*a]]});return w0(n,cr(n,e,i),l)}function w0(n,t,e){return e.reduce((i,[s,r])=>[...i,...Bt(Oe(n,i),s,r.map(Dt))],t)}function E0(n,t,e,i,s){switch(n.kind){case"axis":return s&&HA(n.way,s,t,e);case"turn":return zA(n.place,e,i);case"knob":return A0(n.solid.at,`turn ${n.solid.label}`,e,(r,o)=>p0(r,n.solid,o));case"point":return C0(new C(...n.point.at),t,e,`move ${n.point.item.label}`,(r,o)=>ar(r,n.point.item.path,o));case"joint":return GA(n.role,n.from,t,e,i);case"place":return tf(n.place.at,t,e,`move ${n.place.label}`,(r,o,a)=>T0(i,n.place,a,lr(r,n.place,o),(l,c)=>lh(r,l,n.place,o,c)));case"way":return tf(n.at,t,e,"move a point of the way",(r,o)=>Bt(r,n.path,o.map(Dt)));case"solid":return tf(n.solid.at,t,e,`move ${n.solid.label}`,(r,o)=>f0(r,n.solid,o))}}function tf(n,t,e,i,s){let r=e.picker.level(t.clientX,t.clientY),o=r===null?[0,0]:[n[0]-r.x,n[1]-r.z];return{label:i,ops:(a,l)=>{let c=e.picker.level(l.clientX,l.clientY);return c===null||r===null?[]:s(a,[c.x+(o[0]??0),c.z+(o[1]??0)],l.altKey)}}}var zA=(n,t,e)=>A0(n.at,`turn ${n.label}`,t,(i,s,r)=>T0(e,n,r,cr(i,n,s),(o,a)=>ch(i,o,n,s,a)));function T0(n,t,e,i,s){let{plan:r}=n.now;return e||r===null||t.who===null?i:s(r,n.items(t.who))}function A0(n,t,e,i){return{label:t,ops:(s,r)=>{let o=e.picker.level(r.clientX,r.clientY);if(o===null)return[];let a=Math.atan2(o.x-n[0],o.z-n[1])*180/Math.PI;return i(s,r.shiftKey?15*Math.round(a/15):Math.round(a),r.altKey)}}}function C0(n,t,e,i,s){let r=e.rig.camera.getWorldDirection(new C),o=new We().setFromNormalAndCoplanarPoint(r,n),a=c=>e.picker.aim(c.clientX,c.clientY).ray.intersectPlane(o,new C),l=a(t)?.sub(n).negate()??new C;return{label:i,ops:(c,h)=>{let u=a(h)?.add(l);return u?s(c,[u.x,Math.max(u.y,0),u.z]):[]}}}function HA(n,t,e,i){let s=new C(...t.at),r=a=>{let{ray:l}=i.picker.aim(a.clientX,a.clientY),c=s.clone().sub(l.origin),h=l.direction.dot(n),u=Math.max(1-h*h,1e-6);return(h*c.dot(l.direction)-c.dot(n))/u},o=r(e);return{label:`move ${t.item.label}`,ops:(a,l)=>{let c=s.clone().addScaledVector(n,r(l)-o);return ar(a,t.item.path,[c.x,Math.max(c.y,0),c.z])}}}function GA(n,t,e,i,s){let{who:r,plan:o,frame:a,characters:l}=s.now;if(r===null||o===null)return null;let c=s.items(r),h=a/s.fps,u=n==="head"?"gaze":n;return C0(t,e,i,`move ${Go(u)}`,(d,f)=>Qc(d,o,r,u,h,f,c,l[r]))}var qo=["left_hand","right_hand","left_foot","right_foot","head"],hh=[["x",new C(1,0,0),13983232],["y",new C(0,1,0),40563],["z",new C(0,0,1),29362]],$o=.28,uh=class{constructor(t){this.stage=t;for(let e of qo){let i=new nn({color:15774720,transparent:!0,opacity:.75,depthTest:!1}),s=new le(new Xn(.035,14,10),i);s.renderOrder=5,this.balls.set(e,s),t.scene.add(s)}for(let[,e,i]of hh){let s=new fo(e,new C,$o,i,.07,.045);s.renderOrder=6,this.axes.add(s)}this.axes.visible=!1,t.scene.add(this.axes),t.onDraw(()=>{this.update()})}stage;balls=new Map;axes=new ye;axesAt=null;who=null;isShown=!0;place(t){let e=this.who===null?void 0:this.stage.figures.get(this.who),i=e?.character.roles[t];return e===void 0||i===void 0?null:e.jointAt(i)}setAxes(t){this.axesAt=t,this.axes.visible=t!==null,t!==null&&this.axes.position.copy(t);for(let[e,i]of hh){let s=()=>this.axesAt?.clone().addScaledVector(i,$o*1.1)??null;t===null?this.stage.labels.remove(`axis/${e}`):this.stage.labels.set(`axis/${e}`,e,s,"axis")}this.stage.invalidate()}get tips(){let t=this.axesAt;return t===null?[]:hh.map(([e,i])=>[e,t.clone().addScaledVector(i,$o)])}axisUnder(t,e){let i=this.axesAt;return i===null?null:hh.find(([,r])=>{let o=this.stage.picker.project(i.clone().addScaledVector(r,$o)),a=this.stage.picker.project(i.clone().addScaledVector(r,$o*.6));return[o,a].some(l=>Math.hypot(l.x-t,l.y-e)<11)})?.[1]??null}update(){for(let[t,e]of this.balls){let i=this.isShown?this.place(t):null;e.visible=i!==null,i!==null&&e.position.copy(i)}}};var ef=14;function P0(n,t,e,i,{doc:s,chosen:r}){let o=t.canvas.getBoundingClientRect(),[a,l]=[n.clientX-o.left,n.clientY-o.top],c=u=>{let d=t.picker.project(u);return d.z>1?1/0:Math.hypot(d.x-a,d.y-l)},h=i.axisUnder(a,l);return h!==null?{kind:"axis",way:h,from:new C}:VA(e,c,r)??WA(e,c,s,r)??XA(e,c)??$A(i,c)??qA(e,c)??YA(n,t,e)}function VA(n,t,e){for(let i of n.places.values())if(i.id===e&&t(new C(...Xo(i)))<ef)return{kind:"turn",place:i};return null}function WA(n,t,e,i){for(let s of n.solids.values()){let r=s.path.join("/")===i?Qd(e,s):null;if(r!==null&&t(new C(...r))<ef)return{kind:"knob",solid:s}}return null}function nf(n,t){let[e,i]=[null,ef];for(let s of n){let r=t(s);r<i&&([e,i]=[s,r])}return e}function XA(n,t){let e=nf(n.points.values(),i=>t(new C(...i.at)));return e&&{kind:"point",point:e}}function $A(n,t){if(!n.isShown)return null;let e=qo.map(s=>({role:s,from:n.place(s)})),i=nf(e,({from:s})=>s===null?1/0:t(s));return i?.from?{kind:"joint",role:i.role,from:i.from}:null}function qA(n,t){let e=nf(n.ways.values(),i=>t(new C(i.at[0],0,i.at[1])));return e&&{kind:"way",...e}}function YA(n,t,e){for(let i of t.picker.drawables(n.clientX,n.clientY,t.props.handles)){if(i.kind!=="drawable")continue;let s=e.places.get(i.id);if(s!==void 0)return{kind:"place",place:s};let r=e.solids.get(i.id);if(r!==void 0)return{kind:"solid",solid:r}}return null}var Yo="preview/";function R0({label:n,list:t,fields:e},i){let s=eh(e),o=[[-.25,s-.3],[0,s],[.25,s-.3]].map(([l,c])=>[i[0]+l,i[1]+c]),a=new Map([[`${Yo}outline`,{kind:"path",points:l0(e,i),label:n}]]);return t==="ground"&&a.set(`${Yo}up`,{kind:"path",points:o}),a}var KA="View of the shot. Enter shows a cursor on the ground; arrows move it, Enter places there what the tool says",sf=new Set(["post","box","slope","stairs","gaze"]),I0=4,dh=class{constructor(t){this.tools=t;let{store:e,stage:i}=t;this.joints=new uh(i),this.ghost=new oh(i,e),this.handles=Bi(e);let s=i.canvas;s.setAttribute("aria-label",KA),s.addEventListener("pointerdown",r=>{this.press(r)},{capture:!0}),s.addEventListener("pointermove",r=>{this.hover(r)}),s.addEventListener("pointerleave",()=>{this.dropPreview()}),s.addEventListener("pointerup",r=>{this.release(r)}),new ah({stage:i,say:t.say,place:r=>{this.clickGround(r)},start:()=>this.placeNow()}),e.on(["doc","plan","who","chosen","characters"],r=>{this.show(r)}),e.on(["characters"],({characters:r},o)=>{b0(i,Object.keys(r),Object.keys(o.characters))}),e.on(["who","tool","isPlaying","welcome"],r=>{this.joints.who=r.who,this.joints.isShown=!r.isPlaying&&r.tool!=="look"&&r.welcome?.reader!==!0,i.canvas.dataset.tool=r.tool,this.dropPreview(),i.invalidate()})}tools;joints;ghost;handles;isPreviewed=!1;pressed=null;show(t){let{store:e,stage:i}=this.tools;this.handles=Bi(e),i.setDrawables(v0(e,this.handles,t.chosen),"shot/");let s=this.chosenPoint();this.joints.setAxes(s===null?null:new C(...s.at));let r=t.chosen===null?null:this.shownAs(t.chosen);i.select(r)}shownAs(t){let e=`shot/place/${t}`;if(this.handles.places.has(e))return e;let i=`shot/point/${t}`;return this.handles.points.has(i)?i:null}chosenPoint(){let{chosen:t}=this.tools.store.now;return this.handles.points.get(`shot/point/${t??""}`)??null}held(t){let{store:e,stage:i}=this.tools;return e.now.tool==="look"?null:P0(t,i,this.handles,this.joints,e.now)}press(t){if(t.button!==0)return;let e=this.held(t),{tool:i}=this.tools.store.now;if((e===null||sf.has(i))&&(this.pressed={x:t.clientX,y:t.clientY}),e===null)return;t.stopImmediatePropagation(),t.preventDefault();let{store:s,stage:r,playback:o}=this.tools;r.canvas.focus({preventScroll:!0}),(e.kind==="joint"||e.kind==="point")&&o.pause(),this.choose(e);let a=E0(e,t,r,s,this.chosenPoint());a!==null&&this.pull(t,a)}choose(t){let{store:e}=this.tools;t.kind==="place"&&e.set({chosen:t.place.id,who:t.place.who??e.now.who,tab:"span"}),(t.kind==="solid"||t.kind==="knob")&&e.set({chosen:He(t.solid.path),tab:"span"}),t.kind==="point"&&e.choose(t.point.item)}pull(t,e){let{store:i,editing:s,stage:r}=this.tools,{canvas:o}=r,a=null;o.setPointerCapture(t.pointerId);let l=h=>{a===null&&Math.hypot(h.clientX-t.clientX,h.clientY-t.clientY)<I0||(a===null&&(this.ghost.begin(),a=s.begin(e.label),i.set({isPulling:a!==null})),a?.update(e.ops(a.base,h),h.timeStamp))},c=()=>{o.removeEventListener("pointermove",l),o.removeEventListener("pointerup",c),o.removeEventListener("pointercancel",c),!(a===null||a.isOver)&&(a.finish(),this.chooseAdded(a.base))};o.addEventListener("pointermove",l),o.addEventListener("pointerup",c),o.addEventListener("pointercancel",c)}hover(t){if(this.preview(t),t.buttons!==0)return;let{canvas:e}=this.tools.stage;e.style.cursor=this.held(t)===null?"":"grab"}release(t){let{pressed:e}=this;if(this.pressed=null,e===null||t.button!==0||Math.hypot(t.clientX-e.x,t.clientY-e.y)>=I0)return;let{stage:i,store:s}=this.tools,r=i.pick(t.clientX,t.clientY).find(a=>a.kind==="body");if(r?.kind==="body"&&r.who!==s.now.who&&!sf.has(s.now.tool)){s.set({who:r.who});return}let o=i.pickGround(t.clientX,t.clientY);o!==null?this.clickGround(o):sf.has(s.now.tool)&&Qn(s,{message:"There is no ground; click below the horizon"})}clickGround(t){let{tool:e,plan:i,who:s}=this.tools.store.now,r=[t.x,t.z];e==="look"||i===null||s===null||(e==="place"?this.placeCheckpoint(r,s):e==="gaze"?this.lookAt(t,s):this.putSolid(e,r))}putSolid(t,e){let{store:i,editing:s}=this.tools,{doc:r}=i.now,o=u0(r,t);o===null||!s.commit(d0(r,t,e,this.rings),`add ${t}`)||i.set({tool:"place",chosen:He(o),tab:"span"})}get rings(){return[...this.handles.places.values()].map(t=>t.at)}preview(t){let{store:e,stage:i}=this.tools,s=sh[e.now.tool],r=s&&i.picker.level(t.clientX,t.clientY);if(!s||!r){this.dropPreview();return}let o=nh(s.fields,[r.x,r.z],this.rings);i.setDrawables(R0(s,o),Yo),this.isPreviewed=!0}dropPreview(){this.isPreviewed&&this.tools.stage.setDrawables(new Map,Yo),this.isPreviewed=!1}placeCheckpoint(t,e){let{store:i,editing:s,stage:r,playback:o}=this.tools,{doc:a,plan:l,frame:c}=i.now;if(l===null)return;let h=i.chosenItem,u=h?.who===e?h.span:null,d=this.lastPlace(e),f=this.way(u,e);if(f!==null){s.commit(ue(a,f,t.map(Dt)),"add a point to the way");return}let p=i0(a,l,e,u,c/i.fps,t,d);if(!s.commit(Zc(a,l,e,p),"place a checkpoint"))return;let x=Hd(a,i.now.doc,e);if(x===null){r.canvas.focus({preventScroll:!0});return}o.pause(),i.set({chosen:x,tab:"span",awaited:x})}chooseAdded(t){let{store:e}=this.tools,{doc:i,who:s}=e.now,r=s===null?null:Hd(t,i,s);r!==null&&e.set({chosen:r,tab:"span"})}way(t,e){let{doc:i}=this.tools.store.now;return t===null||pt(i,["tracks",e,t,"do"])!=="gait"?null:["tracks",e,t,"path"]}placeNow(){let t=this.joints.place("hips");return t===null?[0,0]:[t.x,t.z]}lastPlace(t){let{stage:e,store:i}=this.tools,s=e.figures.get(t)?.track;if(!s||s.total===0)return{at:[0,0],ahead:null};let[r,,o]=s.root.subarray(3*(s.total-1)),a=i.bodies.joints(t,["left_hip","right_hip"],s.total-1),[l,c]=a??[];return{at:[r??0,o??0],ahead:l&&c?Kc(l,c):null}}lookAt(t,e){let{store:i,editing:s}=this.tools,{doc:r,plan:o,frame:a,characters:l}=i.now;if(o===null)return;let c=[t.x,Math.max(t.y,0),t.z],h=a/i.fps,u=Qc(r,o,e,"gaze",h,c,i.items(e),l[e]);s.commit(u,"add a gaze")&&i.set({tool:"place"})}};function ur(n){if(!(n instanceof Uint8Array))throw new TypeError("bytes are missing from a message");let t=new ArrayBuffer(n.byteLength);return new Uint8Array(t).set(n),t}var zn=n=>new Float32Array(ur(n)),ZA=n=>new Int16Array(ur(n)),L0=n=>new Uint8Array(ur(n));function JA(n){return{vertices:zn(n.vertices),faces:new Uint32Array(ur(n.faces)),joints:new Uint16Array(ur(n.joints)),weights:zn(n.weights),positions:zn(n.positions),rotations:zn(n.rotations)}}function fh(n){return{id:n.id,name:n.name,color:n.color,tints:n.tints,names:n.names,parents:n.parents,offsets:zn(n.offsets),roles:n.roles,sides:new Int8Array(ur(n.sides)),skin:n.skin?JA(n.skin):null,shift:n.shift}}function ph(n){let t=Object.entries(n.contacts??{});return{who:n.who,fps:n.fps,total:n.total,first:n.first,n:n.n,quats:ZA(n.quats),root:zn(n.root),moved:n.moved,moves:n.moves===void 0?void 0:zn(n.moves),contacts:Object.fromEntries(t.map(([e,i])=>[e,L0(i)])),quality:n.quality??"final",rev:n.rev??0,...n.origin===void 0?{}:{origin:n.origin}}}function D0(n){return{id:n.id,who:n.who??null,name:String(n.name??""),labels:n.labels,fps:n.fps,n:n.n,points:zn(n.points),steps:L0(n.steps),ramp:n.ramp,radius:n.radius,shift:n.shift}}function N0(n){let t=n;if(n.type==="character")return{type:"character",...fh(t)};if(n.type==="motion")return{type:"motion",...ph(t)};if(n.type==="naturalness"){let i=Object.entries(n.who).map(([s,r])=>[s,{...r,values:zn(r.values)}]);return{...n,who:Object.fromEntries(i)}}if(n.type!=="report")return n;let e=Object.entries(n.who).map(([i,s])=>[i,jA(s)]);return{...n,who:Object.fromEntries(e)}}function jA(n){let t=Object.entries(n.series).filter(([,e])=>e instanceof Uint8Array).map(([e,i])=>[e,zn(i)]);return{...n,series:Object.fromEntries(t)}}var rf={preview:[.03,.3],searching:[.3,.8],measuring:[.8,.98]},O0=["preview","searching","measuring"],QA=.15,t1=.02,U0=(n,t)=>({rev:n,phase:t,share:rf[t][0],detail:""});function e1(n,t){return O0.indexOf(t)<=O0.indexOf(n.phase)?n:{...n,phase:t,share:Math.max(n.share,rf[t][0])}}function n1(n,t){let e=rf[n.phase][1],i=n.detail===t?t1:QA;return{...n,detail:t,share:n.share+Math.max(e-n.share,0)*i}}function i1({making:n,idleRev:t},{rev:e,problems:i}){return i.length>0||e<=t?null:n?.rev===e?n:U0(e,"preview")}function s1(n,t){let{making:e,idleRev:i,shot:s}=n;if(t.stage===F0||t.rev!==s?.rev)return e;if(s.problems.length>0)return null;let r=U0(t.rev,t.rev<=i?"searching":"preview");return n1(e?.rev===t.rev?e:r,o1(t))}function r1(n,t){let{making:e}=n;return t.type==="shot"?i1(n,t):t.type==="progress"?s1(n,t):e===null?null:t.type==="idle"?t.rev>=e.rev?null:e:t.type!=="motion"&&t.type!=="report"||t.rev!==e.rev?e:e1(e,t.quality==="preview"?"searching":"measuring")}var F0="exporting";function o1({stage:n,who:t}){return t?`${n}, ${t}`:n}function k0(n,t){let e=r1(n.now,t);e!==n.now.making&&n.set({making:e}),t.type==="progress"&&t.stage===F0&&n.set({isExporting:t.done<t.total}),t.type==="motion"&&a1(n,t)}function a1(n,{rev:t,origin:e}){n.set({shownRev:t,shownAs:e??"shot"});let{plan:i,shot:s,made:r}=n.now;if(i===null||t!==s?.rev)return;let o=Object.entries(i.tracks).flatMap(([a,l])=>l.map(({id:c})=>`${a}/${c}`));(o.length!==r.size||o.some(a=>!r.has(a)))&&n.set({made:new Set(o)})}var l1=new Set(["cast","marks","avoid","ground","meet","joins","fps","seed","library"]);function c1(n,t){let e=Array.isArray(n.path)?n.path:[];if(e[0]==="tracks"&&e.length>2){for(let i=e.length;i>3;i--){let s=He(e.slice(0,i));if(t(s))return{tab:"span",chosen:s}}return{tab:"span",chosen:He(e.slice(0,3))}}return l1.has(e[0]??"")?{tab:"shot",chosen:null}:null}function mh(n,t){let e=Array.isArray(t.path)?String(t.path[1]??""):"",i=c1(t,o=>n.items(e).some(a=>a.id===o));if(i===null)return!1;let{chosen:s,tab:r}=i;return n.set({tab:r,...s===null?{}:{chosen:s,who:e}}),!0}var B0=n=>({message:ms(n),...n.hint===void 0?{}:{hint:n.hint}});function ms({line:n,message:t}){return`${n===void 0?"":`line ${String(n)}: `}${t}`}var h1={welcome:(n,{store:t})=>{t.set({welcome:n})},shot:u1,character:(n,{store:t,stage:e})=>{e.addCharacter(n),t.set({characters:{...t.now.characters,[n.id]:n}})},motion:p1,report:(n,{store:t})=>{if(n.rev<t.now.reportRev&&n.origin===void 0)return;let e=n.rev<t.now.shownRev,i=Object.entries(n.who).map(([r,o])=>[r,{...o,isOld:e}]),s={...t.now.report,...Object.fromEntries(i)};t.set({report:s,reportRev:n.rev,reportQuality:n.quality})},naturalness:({who:n},{store:t})=>{t.set({naturalness:n})},progress:()=>{},idle:({rev:n},{store:t,editing:e})=>{t.set({idleRev:n}),e.answered(n)},alternatives:(n,{store:t})=>{t.set({alternatives:n})},library:(n,{store:t})=>{t.set({library:n})},uploaded:(n,{store:t,onUpload:e})=>{e(n.id),Qn(t,d1(n))},exported:(n,{store:t})=>{t.set({exported:[n,...t.now.exported]})},note:({message:n},{store:t})=>{Qn(t,{message:n,isGood:!0})},problem:(n,{store:t,editing:e,onUpload:i})=>{n.id!==void 0&&i(n.id),Qn(t,n),t.set({refused:n}),n.id===void 0&&n.format===void 0&&e.refused()},gone:({who:n},{store:t,stage:e})=>{e.removeCharacter(n);let i=Object.entries(t.now.characters).filter(([s])=>s!==n);t.set({characters:Object.fromEntries(i)})},bent:(n,{store:t})=>{let e=`${n.who}/${n.span}`;t.now.bent.has(e)||t.set({bent:new Set([...t.now.bent,e])})},solver:(n,{store:t})=>{t.set({solver:n}),n.state==="crashed"&&n.message&&Qn(t,{message:n.message})}};function z0(n,t){k0(t.store,n);let e=h1[n.type];e?.(N0(n),t)}function u1(n,{store:t,editing:e,playback:i}){f1(t,n.problems),e.take(n);let{plan:s}=n;s!==null&&i.setLength(s.frames,s.fps);let r=Object.keys(n.doc.cast??{}),{who:o}=t.now;(o===null||!r.includes(o))&&t.set({who:r[0]??null})}function d1({name:n,clips:t,note:e}){let i=t.length===0?"is in the folder of clips":`brought: ${t.join(", ")} can be used now`;return{message:`${n} ${i}`,isGood:!0,...e?{hint:e}:{}}}function f1(n,t){let e=o=>o.flatMap(a=>[a.message,ms(a)]),i=e(t),s=e(n.now.shot?.problems??[]).filter(o=>!i.includes(o)),r=n.now.notices.filter(({message:o})=>!s.includes(o));r.length<n.now.notices.length&&n.set({notices:r})}function p1(n,t){let{store:e,editing:i,stage:s}=t;if(s.setMotion(n),n.quality!=="preview"){let r=[...e.now.bent].filter(o=>!o.startsWith(`${n.who}/`));r.length<e.now.bent.size&&e.set({bent:new Set(r)})}n.origin!==void 0?g1(e,n.who):n.n>0&&m1(e,n.who),t.onMotion(n.who),i.answered(n.rev)}function m1(n,t){let{naturalness:e,report:i}=n.now,s=e?.[t];s!==void 0&&s.isOld!==!0&&n.set({naturalness:{...e,[t]:{...s,isOld:!0}}});let r=i[t];r!==void 0&&r.isOld!==!0&&n.set({report:{...i,[t]:{...r,isOld:!0}}})}function g1(n,t){let{naturalness:e,report:i,bent:s}=n.now,r=a=>Object.fromEntries(Object.entries(a).filter(([l])=>l!==t));t in i&&n.set({report:r(i)}),e!==null&&t in e&&n.set({naturalness:r(e)});let o=[...s].filter(a=>!a.startsWith(`${t}/`));o.length<s.size&&n.set({bent:new Set(o)})}function y1(n){let{shot:t,isDragging:e,connection:i}=n.now;return t===null||e||i!=="open"?!1:t.saved&&!t.transient&&t.doc===n.now.doc}function H0(n,t,e,i){let s=(o,a)=>{let l=t.canvas.getBoundingClientRect(),c=t.picker.project(a);return{id:o,x:l.left+c.x,y:l.top+c.y}};return{handles:()=>{let{places:o,points:a,ways:l,solids:c}=Bi(n),h=f=>new C(f[0],0,f[1]),u=[...o.values()].filter(f=>f.id===n.now.chosen),d=qo.map(f=>[f,e.place(f)]);return[...[...o].map(([f,p])=>s(f,h(p.at))),...u.map(f=>s("turn",new C(...Xo(f)))),...[...a].map(([f,p])=>s(f,new C(...p.at))),...[...l].map(([f,p])=>s(f,h(p.at))),...[...c].map(([f,p])=>s(f,h(p.at))),...e.tips.map(([f,p])=>s(`axis/${f}`,p)),...d.flatMap(([f,p])=>p===null?[]:[s(f,p)])]},ground:(o,a)=>s("ground",new C(o,0,a)),joint:(o,a)=>{let l=t.figures.get(o),c=l?.character.roles[a];return l===void 0||c===void 0?null:l.jointAt(c).toArray()},seek:o=>{i.seek(o)},state:()=>{let{doc:o,plan:a,shot:l,bent:c,solver:h,connection:u,frame:d,isPlaying:f,chosen:p,who:x}=n.now,m=y1(n),g=m&&l?.rev===n.now.idleRev,{rev:v,saved:M,can_undo:S,can_redo:T}=l??{};return{doc:o,plan:a,rev:v,saved:M,canUndo:S,canRedo:T,solver:h,connection:u,frame:d,isPlaying:f,chosen:p,who:x,isSaved:m,isSettled:g,bent:[...c]}}}}function G0(n,{min:t,max:e},i=!1){let s=n.trim();if(s==="")return i?"a number is expected":null;let r=Number(s);return Number.isFinite(r)?t!==void 0&&r<t?`a number from ${String(t)} on is expected`:e!==void 0&&r>e?`a number up to ${String(e)} is expected`:null:"a number is expected, such as 1.5"}function x1(n,{min:t,max:e,step:i=1},s){let r=(Number(n)||0)+s*i,o=Math.min(Math.max(r,t??-1/0),e??1/0);return String(Math.round(1e6*o)/1e6)}function zi(n,t={}){let e=P("input",{type:"text",inputmode:"decimal",spellcheck:"false",...t});return e.addEventListener("keydown",i=>{let s={ArrowUp:1,ArrowDown:-1}[i.key];s===void 0||G0(e.value,{})!==null||(i.preventDefault(),e.value=x1(e.value,n,s),e.dispatchEvent(new Event("change")))}),e.addEventListener("input",()=>{gh(e,null)}),e}function Hi(n,t,e=!1){let i=G0(n.value,t,e);return gh(n,i),n.reportValidity(),i===null}function gh(n,t){n.setCustomValidity(t??""),n.setAttribute("aria-invalid",String(t!==null)),n.title=t??""}var _1=0;function Ko(n,t,e){return e===void 0?ae(n,t):Bt(n,t,e)}function vi(n,t,...e){t.id||=`f${String(++_1)}`;let i=P("label",{for:t.id},n.label),s=n.unit===void 0?[]:[P("span",{class:"unit"},n.unit)];return P("div",{class:"field"},i,P("span",{class:"value"},t,...e,...s))}function bi(n){return n.contains(document.activeElement)}function yh(n,t,e,i){let s=n.type==="number",r=n.usual??"",o=s?zi(n,{placeholder:r}):P("input",{type:"text",placeholder:r,list:i,spellcheck:"false"});o.addEventListener("change",()=>{if(s&&!Hi(o,n))return;let l=Ko(e.store.now.doc,t,v1(n,o.value));e.editing.commit(l,`change ${n.label.toLowerCase()}`)});let a=()=>{bi(o)||of(o,xh(pt(e.store.now.doc,t)))};return{element:vi(n,o),refresh:a}}function of(n,t){n.value=t,n.validity.customError&&gh(n,null)}function xh(n){return typeof n=="number"||typeof n=="string"?String(n):""}function v1(n,t){let e=t.trim();return e===""?void 0:(n.type==="number"||n.type==="time")&&Number.isFinite(Number(e))?Number(e):e}function V0(n,t,e){let{min:i,max:s,step:r}=n,o=P("input",{type:"range",min:i,max:s,step:r}),a=zi(n,{"aria-label":n.label,placeholder:n.usual??"",class:"short"}),l=null,c=`change ${n.label.toLowerCase()}`;o.addEventListener("input",u=>{(l===null||l.isOver)&&(l=e.editing.begin(c)),l?.update(Bt(l.base,t,Number(o.value)),u.timeStamp),a.value=o.value}),o.addEventListener("change",()=>{l?.finish(),l=null}),a.addEventListener("change",()=>{if(!Hi(a,n))return;let u=a.value.trim()===""?void 0:Number(a.value);e.editing.commit(Ko(e.store.now.doc,t,u),c)});let h=()=>{let u=pt(e.store.now.doc,t);l===null&&(o.value=String(u??n.start??0)),bi(a)||of(a,xh(u))};return{element:vi(n,o,a),refresh:h}}function _h(n,t,e,i){let s=P("select"),r=null;s.addEventListener("change",()=>{let a=s.value===""?void 0:s.value,l=Ko(i.store.now.doc,t,a);i.editing.commit(l,`change ${n.label.toLowerCase()}`)});let o=()=>{let a=xh(pt(i.store.now.doc,t)),l=[...new Set([...n.usual===void 0?[]:[""],...e(),a])],c=l.join(`
`);c!==r&&(r=c,s.replaceChildren(...l.map(h=>P("option",{value:h},h||(n.usual??""))))),s.value=a};return{element:vi(n,s),refresh:o}}function W0(n,t,e){let i=P("input",{type:"checkbox"});i.addEventListener("change",()=>{let r=Ko(e.store.now.doc,t,i.checked);e.editing.commit(r,`change ${n.label.toLowerCase()}`)});let s=()=>{i.checked=(pt(e.store.now.doc,t)??n.usual==="true")===!0};return{element:vi(n,i),refresh:s}}function af(n,t,e,i){let{store:s,editing:r}=i,o=P("select",{"aria-label":`${n.label}: mark`}),a=e===2?["x","z"]:["x","y","z"],l=a.map(p=>zi({step:.05},{"aria-label":`${n.label} ${p}`,class:"short"})),c=`change ${n.label.toLowerCase()}`,h=()=>Object.entries(s.now.doc.marks??{}).filter(([,p])=>p[e===2?"position":"point"]!==void 0).map(([p])=>p),u=()=>{let p=pt(s.now.doc,t);return De(p)||us(p)?p:null},d=()=>{let p=pt(s.now.doc,t);return typeof p=="string"?["marks",p,e===2?"position":"point"]:t};o.addEventListener("change",()=>{let p=pt(s.now.doc,d()),x=De(p)||us(p)?p:a.map(()=>0),m=o.value==="."?x:o.value===""?void 0:o.value;r.commit(Ko(s.now.doc,t,m),c)});for(let p of l)p.addEventListener("change",()=>{if(!Hi(p,{},!0))return;let x=l.map(m=>Number(m.value)||0);r.commit(Bt(s.now.doc,d(),x),c)});let f=()=>{let p=pt(s.now.doc,t),x=h(),m=n.usual===void 0?[]:[P("option",{value:""},n.usual)],g=x.map(M=>P("option",{value:M},M));o.replaceChildren(...m,P("option",{value:"."},"a place"),...g),o.value=typeof p=="string"?p:p===void 0?"":".";let v=u()??pt(s.now.doc,d());l.forEach((M,S)=>{if(bi(M))return;let T=Array.isArray(v)?v[S]:void 0;of(M,xh(T)),M.disabled=p===void 0})};return{element:vi(n,o,...l),refresh:f}}var b1=["right_hand","left_hand","right_foot","left_foot","head","gaze"],S1={slider:V0,place:(n,t,e)=>af(n,t,2,e),point:(n,t,e)=>af(n,t,3,e),places:M1,style:(n,t,e)=>_h(n,t,()=>e.store.now.library?.styles??[],e),joint:(n,t,e)=>_h(n,t,()=>b1,e),choice:(n,t,e)=>_h(n,t,()=>n.options??[],e),flag:W0,clip:(n,t,e)=>yh(n,t,e,"clip-names"),model:(n,t,e)=>yh(n,t,e,"model-names")};function Gi(n,t,e){return(S1[n.type]??yh)(n,t,e)}function X0(n){let t=P("datalist",{id:"clip-names"}),e=P("datalist",{id:"model-names"});return n.store.on(["library"],({library:i})=>{t.replaceChildren(...(i?.clips??[]).map(s=>P("option",{value:s.name}))),e.replaceChildren(...(i?.models??[]).map(s=>P("option",{value:s})))}),P("div",{hidden:!0},t,e)}function M1(n,t,e){let{store:i,editing:s}=e,r=P("ol",{class:"places"}),o=vt("Add point",()=>{let h=pt(i.now.doc,t),u=Array.isArray(h)?h.at(-1):void 0,d=De(u)?[u[0],u[1]+1]:[0,1];s.commit(ue(i.now.doc,t,d),"add a point")}),a="",l=()=>{let h=pt(i.now.doc,t),u=JSON.stringify(h??null);if(u===a||bi(r))return;a=u;let d=Array.isArray(h)?h:[];r.replaceChildren(...d.map((f,p)=>w1([...t,p],e)))},c=P("div",{class:"places-box"},r,o);return{element:vi(n,c),refresh:l}}function w1(n,t){let{store:e,editing:i}=t,s=pt(e.now.doc,n),r=vt("\xD7",()=>{i.commit(ae(e.now.doc,n),"delete a point")},{"aria-label":"Delete point"});if(!De(s))return P("li",{},P("span",{},String(s)),r);let o=s.map((a,l)=>{let c=zi({step:.05},{class:"short","aria-label":l===0?"x":"z"});return c.value=String(a),c.addEventListener("change",()=>{Hi(c,{},!0)&&i.commit(Bt(e.now.doc,[...n,l],Number(c.value)||0),"move a point")}),c});return P("li",{},...o,r)}var Hn={type:"number",unit:"m",step:.05,usual:"none"},Zo=n=>({key:n,label:"Place",type:"place"}),lf=(n,t)=>({key:n,label:t,type:"number",unit:"\xB0",step:5,usual:"0"}),$0={...Hn,key:"width",label:"Width",min:0,usual:"everywhere"},q0={...Hn,key:"landing",label:"Level behind",min:0,usual:"for ever"},cf={cylinder:[Zo("center"),{...Hn,key:"radius",label:"Radius",min:0},{...Hn,key:"bottom",label:"Bottom"},{...Hn,key:"top",label:"Top"}],box:[Zo("center"),lf("angle","Turned"),{...Hn,key:"bottom",label:"Bottom"},{...Hn,key:"top",label:"Top"}],slope:[Zo("start"),lf("heading","Goes up to"),{key:"steepness",label:"Steepness",type:"number",unit:"\xB0",step:1,usual:"0"},{...Hn,key:"length",label:"Length",min:0,usual:"without end"},$0,q0],stairs:[Zo("start"),lf("heading","Go up to"),{...Hn,key:"rise",label:"Rise",step:.01},{...Hn,key:"tread",label:"Tread",step:.01,min:0},{key:"steps",label:"Steps",type:"number",step:1,min:1},$0,q0],heightmap:[Zo("origin"),{...Hn,key:"cell",label:"Cell"}]};function Y0(n,t,e){let{store:i,editing:s}=e,r=(cf[t.shape]??[]).map(a=>Gi(a,[...t.path,a.key],e)),o=vt("Delete",()=>{s.commit(ae(i.now.doc,t.path),`delete ${t.label}`),i.set({chosen:null})});return n.replaceChildren(P("h2",{},t.label),P("p",{class:"quiet"},"Drag it over the ground, its knob turns it."),...r.map(a=>a.element),P("div",{class:"buttons"},o)),()=>{if(pt(i.now.doc,t.path)!==void 0)for(let a of r)a.refresh()}}function vh({store:n}){let{chosen:t,doc:e}=n.now;return _i(e).find(i=>i.path.join("/")===t)??null}var E1=.05,K0=5,T1={ArrowUp:[1,0,0],ArrowDown:[-1,0,0],ArrowRight:[0,0,1],ArrowLeft:[0,0,-1],PageUp:[0,1,0],PageDown:[0,-1,0]},A1={"[":K0,"]":-K0};function Z0(n,t,e,i){let s=i.altKey?C1(e,i.key):void 0,r=A1[i.key],{chosen:o}=n.now;if(o===null||s===void 0&&r===void 0)return!1;let a=s===void 0?P1(n,o,r??0):R1(n,o,s);return t.commit(a,`move ${n.chosenItem?.label??"a place"}`),a.length>0}function C1(n,t){let e=T1[t];if(e===void 0)return;let[i,s]=Zd(n,e[0],e[2]);return[i,e[1],s]}function P1(n,t,e){let i=J0(Bi(n),t);return i===void 0?[]:L1(n,i,(i.angle??0)+e)}var J0=({places:n},t)=>n.get(`shot/place/${t}`)??n.get(`shot/place/${t}/to`);function R1(n,t,e){let i=Bi(n),s=J0(i,t),[r,o,a]=e.map(d=>E1*d);if(s!==void 0)return I1(n,s,[s.at[0]+r,s.at[1]+a]);let l=i.points.get(`shot/point/${t}`);if(l===void 0)return[];let[c,h,u]=l.at;return ar(n.now.doc,l.item.path,[c+r,h+o,u+a])}function I1(n,t,e){let{doc:i,plan:s}=n.now;return s===null||t.who===null?lr(i,t,e):lh(i,s,t,e,n.items(t.who))}function L1(n,t,e){let{doc:i,plan:s}=n.now;return s===null||t.who===null?cr(i,t,e):ch(i,s,t,e,n.items(t.who))}var ey=[["Space","play or pause"],["J  K  L","backwards, stop, onwards; again: twice as fast"],["\u2190 \u2192","a frame back or on; with Shift a second"],["Home  End","first or last frame"],["Esc","leave a drag, close what is open, choose nothing"],["Ctrl+Z","undo; Ctrl+Shift+Z or Ctrl+Y redo"],["Delete","delete what is chosen"],["F","follow the character"],["G","keep the motion as it is now as a ghost"],["?","this sheet"],["F6","to the view, the panel, the timeline, the bar; with Shift back"],["In the timeline","arrows go from entry to entry, Enter opens its fields"],[", and .","move the entry a frame (< and > ten; with Alt its end)"],["Alt+arrows","move a chosen place or point in the view; Alt+Page up and down its height"],["[ and ]","turn a chosen place"],["In the view","Enter shows a cursor on the ground; arrows move it (with Shift farther), Enter places what the tool says there"],["Alt while dragging","move a ring without the hand keys that are reached from it"]];function ny(n){document.addEventListener("keydown",t=>{t.defaultPrevented||D1()||(t.key==="Escape"?F1(n,t):!k1(n,t)&&!O1(t)&&N1(n,t))})}var D1=()=>document.querySelector("dialog[open]")!==null;function N1(n,t){(Z0(n.store,n.editing,n.stage,t)||B1(n,t))&&t.preventDefault()}function O1({target:n,key:t}){return rh(n)?!0:(n instanceof HTMLButtonElement||n instanceof HTMLAnchorElement)&&!U1(n)&&(t===" "||t==="Enter")}var U1=n=>n instanceof HTMLElement&&n.classList.contains("item");function F1({store:n,editing:t,close:e},i){if(t.stop()||e()){i.preventDefault();return}rh(i.target)?i.target.blur():n.set({chosen:null,tool:"place"})}function k1({editing:n},t){if(!(t.ctrlKey||t.metaKey)||rh(t.target))return!1;let e=t.key.toLowerCase();return e!=="z"&&e!=="y"?!1:(t.preventDefault(),e==="y"||t.shiftKey?n.redo():n.undo(),!0)}var j0={" ":({playback:n})=>{n.speed=1,n.toggle()},j:({playback:n})=>{Q0(n,-1)},k:({playback:n})=>{n.pause()},l:({playback:n})=>{Q0(n,1)},ArrowLeft:({playback:n},t)=>{n.step(t.shiftKey?-Math.round(n.fps):-1)},ArrowRight:({playback:n},t)=>{n.step(t.shiftKey?Math.round(n.fps):1)},Home:({playback:n})=>{n.seek(0)},End:({playback:n})=>{n.seek(n.total-1)},Delete:ty,Backspace:ty,f:({follow:n})=>{n()},g:({ghost:n})=>{n()},"?":({help:n})=>{n()}};function B1(n,t){if(t.ctrlKey||t.metaKey||t.altKey)return!1;let e=j0[t.key]??j0[t.key.toLowerCase()];return e?.(n,t),e!==void 0}function Q0(n,t){let e=n.playing&&Math.sign(n.speed)===t;n.setSpeed(e?Math.max(-8,Math.min(8,n.speed*2)):t),n.play()}function ty({store:n,editing:t}){let e=n.chosenItem,{doc:i,plan:s}=n.now,r=e===null?vh({store:n,editing:t}):null;r!==null&&t.commit(ae(i,r.path),`delete ${r.label}`)&&n.set({chosen:null}),!(e===null||s===null)&&t.commit(or(i,s,e),`delete ${e.label}`)}var bh=class{pending=[];constructor(t){t.onDraw(()=>{if(this.pending.length===0)return;let e=this.pending;this.pending=[],requestAnimationFrame(()=>{let i=performance.now();for(let s of e)performance.measure("drag-to-motion",{start:s,end:i})})})}answered(t){performance.measure("drag-to-answer",{start:t,end:performance.now()}),this.pending.push(t)}};var z1=[["glb","glTF (.glb)","Blender, Unity, Godot, the web; with skin, all characters"],["fbx","FBX","Maya, MotionBuilder, Unreal, Unity"],["bvh","BVH","a file for each character"],["usda","USD","Omniverse, Houdini, Blender"],["html","Page","one file that plays in any browser, without a connection"],["png","Picture","a sheet of the motion at the times that count"],["report","Report","what was asked and what became of it, as text"]];function iy(n,t){let e=P("p",{class:"quiet",role:"status"}),i=z1.map(([c,h,u])=>P("li",{},vt(h,()=>{e.textContent=`making ${h}: the whole search first, then the file`,t({type:"export",format:c})}),P("span",{class:"quiet"},u))),s=P("ul",{class:"exported"});n.on(["refused"],({refused:c})=>{if(c?.format===void 0)return;let h=c.line===void 0?"":`line ${String(c.line)}: `;e.textContent=`${c.format} could not be made: ${h}${c.message}`});let r=0;n.on(["exported"],({exported:c})=>{let h=c.slice(0,c.length-r);r=c.length;for(let u of h.reverse())H1(u.url,u.name,s,e)}),n.on(["isExporting"],({isExporting:c},h)=>{h.isExporting&&!c&&(e.textContent="")});let a=P("p",{class:"quiet"},"Files are the same as `motionloom shot` writes for this shot, and are downloaded when they are there."),l=P("ul",{class:"formats"},...i);return P("div",{class:"export-panel"},a,e,s,l)}async function H1(n,t,e,i){let s=await fetch(n).catch(()=>null);if(s?.ok!==!0){i.textContent=`${t} could not be fetched; export it again`;return}let r=URL.createObjectURL(await s.blob()),o=P("a",{href:r,download:t},`${t}, downloaded; again`);e.prepend(P("li",{},o)),o.click()}var G1=200;function sy(n,t,e){let i=P("input",{type:"search",placeholder:"Find a clip","aria-label":"Find a clip"}),s=P("ul",{class:"clips"}),r=P("input",{type:"file",multiple:!0,hidden:!0});r.addEventListener("change",()=>{for(let u of r.files??[])e.send(u);r.value=""});let o=vt("Bring clips\u2026",()=>{r.click()}),a=P("p",{class:"quiet",role:"status"}),l=()=>V1(n.now.welcome?.kinds??[]);e.onState=u=>{a.textContent=u||l()},n.on(["welcome"],({welcome:u})=>{r.accept=(u?.kinds??[]).join(","),a.textContent=l()});let c=P("p",{class:"quiet"}),h=()=>{let u=n.now.library?.clips??[],d=i.value.toLowerCase(),f=u.filter(p=>[p.name,...p.labels].some(x=>x.toLowerCase().includes(d)));c.textContent=`${String(f.length)} of ${String(u.length)} clips`,s.replaceChildren(...f.slice(0,G1).map(p=>{let x=vt("Add",()=>{W1(n,t,p.name)},{"aria-label":`Add ${p.name} to the shot`}),m=`${p.seconds.toFixed(1)} s ${p.labels.join(", ")}`;return P("li",{},P("span",{class:"clip-name"},p.name),P("span",{class:"quiet"},m),x)}))};return i.addEventListener("input",h),n.on(["library"],h),P("div",{class:"library-panel"},P("div",{class:"buttons"},o,r),a,i,c,s)}function V1(n){return n.length===0?"":`Drop them on the page, too. Files that can be read: ${n.join(", ")}.`}function W1(n,t,e){let{doc:i,plan:s,who:r}=n.now;if(r===null)return;let o=xn(i,s,r,"clip"),a=i.tracks?.[r]?.length??0;t.commit(ue(i,["tracks",r],{id:o,do:"clip",clip:e}),`add ${e}`)&&n.set({chosen:`tracks/${r}/${String(a)}`})}function ry(n,t){n.addEventListener("dragover",e=>{e.preventDefault(),n.classList.add("dropping")}),n.addEventListener("dragleave",()=>{n.classList.remove("dropping")}),n.addEventListener("drop",e=>{e.preventDefault(),n.classList.remove("dropping");for(let i of e.dataTransfer?.files??[])t.send(i)})}function ay(n,t,e,i=!1){let s=t?.[e];return s!==void 0?{label:"Naturalness",values:s.values,isOld:s.isOld===!0,missing:""}:t===null||n?.skate===void 0?{label:"Naturalness",values:X1,isOld:!0,missing:"comes after the search"}:{label:"Skate",values:n.skate.map(o=>Number.isNaN(o)?0:Math.max(0,o/15)),isOld:i,missing:""}}var X1=new Float32Array,oy=5;function dr(n){return n<=.005?"as usual in the captures":n<=1?`${(100*n).toFixed(0)} % of the way from usual to the captures' limit`:n>oy?`more than ${String(oy)} times the captures' limit`:`${n.toFixed(1)} times the captures' limit`}function ly(n,t,e){let i=n.values[e];if(i===void 0)return n.missing;if(n.label==="Skate")return`${n.isOld?"before the last change: ":""}a foot that bears slides at ${(i*15).toFixed(0)} cm/s, the limit is ${String(15)}`;let s=t?.stretches.find(o=>o.first<=e&&e<=o.last),r=s===void 0?"":`: ${s.words}`;return`${n.isOld?"before the last change: ":""}${dr(i)}${r}`}function Sh(n,t){return[...n.stretches].sort((e,i)=>i.value-e.value).slice(0,t)}function cy(n,t,e,i){let s=Math.max(n.length,t?.length??0),r=l=>{let c=t?.[l]??0;return(n[l]??0)+(Number.isNaN(c)?0:.1*c)},o=Math.max(0,Math.min(e,s-1)),a=Math.min(s-1,e+i);for(let l=Math.max(0,e-i);l<=a;l++)r(l)>r(o)+1e-6&&(o=l);return o}var fr={title:"",share:null};function $1({solver:n,shot:t}){if(n?.state==="crashed"){let r=n.message??"what makes motions ended; it is started again";return{...fr,kind:"bad",text:r}}let[e]=t?.problems??[];if(e===void 0)return null;let i=ms(e),s=[i,e.hint??"","Click: the report, and where it is mended."];return{kind:"bad",text:i,title:s.filter(Boolean).join(`
`),share:null}}function hy(n){let t=$1(n);if(t!==null)return t;let{shot:e,making:i,isExporting:s,shownRev:r,idleRev:o}=n;return s?{...fr,kind:"busy",text:"writing the file"}:n.welcome?.reader&&n.welcome.writer==="studio"?{...fr,kind:"good",text:"made by the other studio"}:e===null?{...fr,kind:"busy",text:""}:i!==null?{kind:"busy",text:r<=0?"preview: making your shot":i.phase,title:i.detail,share:i.share}:o>=e.rev?{...fr,kind:"good",text:"settled"}:{...fr,kind:"busy",text:"preview"}}var q1={shot:"the last motion that could be made",older:"what was made before the last edits",captured:"a captured clip, as nothing of this shot was made yet",nothing:"nothing, as nothing of this shot was made yet"},hf=({shownAs:n})=>q1[n];function uy(n){let{shot:t,shownAs:e,plan:i,isDragging:s}=n;return t!==null&&t.problems.length>0&&!s?`Not what is written: ${hf(n)}`:i===null||s?"":e==="captured"?"A captured clip, until your shot is made":e==="older"?"From before the last edits, until your shot is made":Y1(n)}function Y1({plan:n,frame:t,made:e,making:i,who:s}){if(e.size===0)return"";let o=Object.entries(n?.tracks??{}).sort(([l],[c])=>+(c===s)-+(l===s)).flatMap(([l,c])=>c.filter(h=>h.first<=t&&t<=h.last&&!e.has(`${l}/${h.id}`))),[a]=o;return a===void 0?"":i===null?`${a.id} is not made yet`:`${a.id} is being made`}function dy(n){let{store:t}=n,e=P("div",{class:"report-panel"});return t.onCalm(["report","reportRev","shot","shownAs","who","plan","making","idleRev","naturalness"],i=>{let s=i.who===null?void 0:i.report[i.who];e.replaceChildren(...K1(i,t),...s===void 0||i.who===null?[P("p",{class:"quiet"},"Figures come with the first search.")]:J1(i.who,s,n))}),e}function K1(n,t){let e=n.shot?.problems??[];if(e.length===0)return[];let i=e.map(r=>{let o=P("li",{class:"bad"},P("span",{},`${ms(r)} `));r.hint&&o.append(P("span",{class:"quiet"},`${r.hint} `));let[a]=Array.isArray(r.path)?r.path:[];return a!==void 0&&o.append(vt("Go there",()=>{mh(t,r)})),o}),s=`This cannot be made as it is written; what you see is ${hf(n)}.`;return[P("h2",{},"The file"),P("p",{class:"bad"},s),P("ul",{class:"problems"},...i)]}function Z1(n){let{shot:t,reportRev:e,reportQuality:i,making:s,idleRev:r}=n;return t!==null&&e<t.rev?t.problems.length>0?"Measured on the last motion that could be made, not on what is written.":"Measured before your last change; new figures come with the search.":i==="final"?"Measured on the shot as the command line makes it.":`Measured on the quick version.${s===null&&r>=(t?.rev??0)?"":" The search still goes on."} Finish, and every export, search longer: their figures may differ.`}function J1(n,t,e){let i=e.store.fps,s=o=>vt(hn(o/i),()=>{e.playback.pause(),e.playback.seek(o)},{title:"Go to this frame",class:"to-frame"}),r=[P("h2",{},n)];return r.push(P("p",{class:"quiet measured"},Z1(e.store.now))),r.push(iC(t.summary)),t.worst&&r.push(P("p",{class:"worst"},`Worst frame: ${t.worst.why} `,s(t.worst.frame))),r.push(...Q1(e.store.now.naturalness?.[n],s)),r.push(P("h3",{},"Problems"),eC(n,t,e)),t.meetings?.length&&r.push(P("h3",{},"Meetings"),rC(t.meetings,i,s)),r.push(P("h3",{},"Joins"),...oC(t,s)),r}var j1=3;function Q1(n,t){if(n===void 0)return[];let e=n.isOld===!0?" Measured before the last change.":"",i=Sh(n,j1);if(i.length===0){let a=`Least natural: ${dr(n.worst.value)}.${e} `;return[P("p",{class:"natural"},a,t(n.worst.frame))]}let s=i.map(a=>P("li",{},`${dr(a.value)}: ${a.words} `,t(a.frame))),r=n.stretches.length-i.length,o=r>0?` And ${String(r)} more.`:"";return[P("p",{class:"natural"},`Least natural, beyond 99 of 100 captured moments:${o}${e}`),P("ul",{class:"natural"},...s)]}function tC(n){let t=n.spans.flatMap(e=>e.problems.map(i=>`${e.id}: ${i}`));return[...new Set(n.problems??t)]}function eC(n,t,e){let i=tC(t);if(i.length===0){let s=t.worst?" The worst frame is worth a look.":"";return P("p",{class:"quiet"},`None in this measurement.${s}`)}return P("ul",{class:"problems"},...i.map(s=>nC(n,s,e)))}function nC(n,t,e){let i=P("li",{class:"bad"},`${t} `),{plan:s}=e.store.now,r=s?.tracks[n]?.find(o=>t.startsWith(`${o.id}: `));return r===void 0||i.append(vt("Go there",()=>{e.choose(`tracks/${n}/${String(r.index)}`),e.playback.seek(r.first)})),i}function gs(n){return typeof n!="number"?n:Math.abs(n)<.005?"0":String(Number(n.toPrecision(3)))}function fy(n,t,e){if(e===void 0)return gs(n);let i=t!==void 0&&Number.isFinite(t)?` \u2264 ${gs(t)}`:"",s=e?"\u2713":"!";return`${gs(n)} ${s}${e||i===""?i:i.replace("\u2264",">")}`}function iC(n){let e=P("tr",{},...["","here, and its limit","captured"].map(s=>P("th",{scope:"col"},s))),i=n.map(s=>P("tr",{},P("th",{scope:"row"},s.label),P("td",{class:s.good===!1?"bad":""},fy(s.value,s.limit,s.good)),P("td",{},gs(s.captured??""))));return P("table",{},P("thead",{},e),P("tbody",{},...i))}function sC(n){if(n.problems.length>0)return`${n.label}: ${n.problems.join(" and ")}`;let t=typeof n.joints=="number"?`, what meets ${gs(1e3*n.joints)} mm`:"",e=`${gs(1e3*n.place)} mm and ${gs(n.facing)}\xB0`;return`${n.label}: met, ${e} off${t} `}function rC(n,t,e){let i=n.map(s=>P("li",{class:s.problems.length>0?"bad":""},`${sC(s)} `,e(Math.round(s.time*t))));return P("ul",{class:"problems meetings"},...i)}function oC(n,t){if(n.joins.length===0)return[P("p",{class:"quiet"},"None.")];let i=P("tr",{},...["between","harder by, and its limit",""].map(o=>P("th",{scope:"col"},o))),s=n.joins.flatMap(o=>{let a=P("th",{scope:"row"},`${o.before} \u2192 ${o.after}`),l=!(o.acceleration<=o.limit),c=P("td",{class:l?"bad":""},fy(o.acceleration,o.limit,!l)),h=P("tr",{},a,c,P("td",{},t(o.frame))),u=o.ok?[]:o.why??[];return u.length===0?[h]:[h,P("tr",{},P("td",{class:"bad why",colspan:3},`! ${u.join("; ")}`))]});return[P("table",{},P("thead",{},i),P("tbody",{},...s)),P("p",{class:"quiet"},"Harder by: how much more joints accelerate than in the two spans.")]}var aC=.9,lC=.5;function Mh(n,t,e){return e.some(([i,s])=>Math.hypot(i-t[0],s-t[1])<aC)?!1:_i(n).every(i=>{let s=pt(n,i.path);return i.shape==="heightmap"||!Te(s)||Kd(s,i.at,t)>=lC})}var cC=["anna","ben","cleo","dan","eva","finn","gus","hana","ian","jo","kim","lou"],py=.3,my=40,hC=4;function gy(n){let t=i=>pt(n,["cast",i])===void 0,e=2;for(;!t(`extra_${String(e)}`);)e++;return cC.find(t)??`extra_${String(e)}`}function yy(n,t,e,i,s=null){let r=[...i,...pC(n)],o={position:mC(n,r),facing:0},a=Bt(n,["cast",e],{...uC(n),start:o});return[...a,...Bt(Oe(n,a),["tracks",e],[dC(n,t,s)])]}function uC(n){let[t]=Object.values(n.cast??{}),e=["library","clips","labels"].flatMap(i=>{let s=pt(t,[i]);return s===void 0?[]:[[i,s]]});return Object.fromEntries(e)}function dC(n,t,e){let[i]=e?.clips??[];return e?.waits===!1&&i!==void 0?{id:"show",do:"clip",clip:i.name}:{id:"wait",do:"idle",...fC(n,t)}}function fC(n,t){let e=Object.keys(t?.tracks??{}).flatMap(o=>{let a=t===null?void 0:kn(t,o);return a!==void 0&&Ne(n,o)[a.index]!==void 0?[{who:o,id:a.id,last:a.last}]:[]}),[i,...s]=e;if(i===void 0)return{for:hC};let r=s.reduce((o,a)=>a.last>o.last?a:o,i);return{until:`${r.who}.${r.id}.end`}}function pC(n){return Object.keys(n.cast??{}).map(t=>{let e=pt(n,["cast",t,"start","position"]);return De(e)?e:[0,0]})}function mC(n,t){let[e]=t.slice(-1),i=e??[0,0];for(let s=1;s<=my;s++)for(let r of[1,-1]){let o=[Dt(i[0]+r*s*py),Dt(i[1])];if(Mh(n,o,t))return o}return[Dt(i[0]+my*py),Dt(i[1])]}function pr(n,t,e){let i=vt("Delete",()=>{let{ops:s,tools:r}=e();r.editing.commit(s,`delete ${n}`)},{"aria-label":`Delete ${n}`});return P("details",{},P("summary",{},n),...t,i)}var gC=3,mr={key:"over",label:"Joined over",type:"number",unit:"s",min:.05,max:gC,step:.05,usual:"0.4"};function wh(n){return Te(pt(n,["joins","default"]))?["joins","default","over"]:["joins","over"]}function xy(n,{store:t,editing:e}){let i=()=>{let{plan:c}=t.now,h=c?.tracks[n.who]?.find(d=>d.index===n.span),u=c===null?void 0:Yc(c,n.who,n.span);return h===void 0||u===void 0?null:`${u.id}->${h.id}`};if(i()===null)return[];let{min:s,max:r,step:o}=mr,a=zi({min:s,max:r,step:o});a.addEventListener("change",()=>{let c=i(),{doc:h}=t.now;if(c===null||!Hi(a,mr))return;let u=["joins",c],d={over:Number(a.value)};e.commit(a.value.trim()===""?ae(h,u):Bt(h,u,d),`join ${c}`)});let l=()=>{let{doc:c}=t.now,h=pt(c,["joins",i()??"","over"]),u=pt(c,wh(c))??mr.usual;a.placeholder=String(u),bi(a)||(a.value=typeof h=="number"?String(h):"")};return[{element:vi({...mr,label:"Join before"},a),refresh:l}]}var uf=.85,yC=3,xC=1,_C=4,vC=6,bC=2.5,SC=1,MC=.6,wC=.5,EC=16;function _y(n,t,e,i){let[s,r]=e,o=AC(n,e,i),a=o===null?vC:Dt(o.way/xC+_C),l=[...TC(n,t,e)],c={come:"",talk:""},h=(p,x)=>{l.push(...ue(Oe(n,l),["tracks",p],x))};c.come=xn(n,t,s,"come"),h(s,{id:c.come,do:"walk",for:a}),c.talk=xn(Oe(n,l),t,s,"talk"),h(s,{id:c.talk,do:"idle",for:bC}),h(r,{id:xn(n,t,r,"come"),do:"walk",until:`${s}.${c.come}.end`}),h(r,{id:xn(n,t,r,"talk"),do:"idle",until:`${s}.${c.talk}.end`});for(let p of Object.keys(t.tracks))e.includes(p)||l.push(...Jc(Oe(n,l),t,p,`${s}.${c.talk}.end`));let u=o===null?{}:{position:o.position,heading:o.heading},f={time:`${s}.${c.talk}.start+${String(SC)}`,hold:MC,between:e,distance:uf,...u};return[...l,...ue(Oe(n,l),["meet"],f)]}function TC(n,t,e){let i=e.map(a=>kn(t,a)?.last??0),[s,r]=(i[0]??0)<(i[1]??0)?e:[e[1],e[0]],o=kn(t,r);return i[0]===i[1]||o===void 0?[]:Jc(n,t,s,`${r}.${o.id}.end`)}function AC(n,t,e){let[i,s]=t.map(h=>e[h]??null);if(i===null||s===null||i===void 0||s===void 0)return null;let[r,o]=[s[0]-i[0],s[1]-i[1]],a=Math.hypot(r,o),l=a>.001?[r/a,o/a]:[0,1],c=Object.entries(e).flatMap(([h,u])=>u===null||t.includes(h)?[]:[u]);for(let h=0;h<=2*EC;h++){let u=(h%2===1?1:-1)*Math.ceil(h/2)*wC,d=[(i[0]+s[0])/2+u*l[1],(i[1]+s[1])/2-u*l[0]],f=[-1,1].map(x=>[d[0]+x*uf*l[0]/2,d[1]+x*uf*l[1]/2]),p=[i,s].map((x,m)=>CC(x,f[m]));if(!(Math.min(...p)<yC||!f.every(x=>Mh(n,x,c))))return{position:[Dt(d[0]),Dt(d[1])],heading:Math.round(1800*Math.atan2(l[0],l[1])/Math.PI)/10,way:Math.max(...p)}}return null}var CC=(n,t)=>Math.hypot(n[0]-t[0],n[1]-t[1]);function vy(n,t){let e=Object.keys(n.cast??{}).filter(r=>Ne(n,r).length>0),i=t!==null&&e.includes(t)?t:e[0],s=e.find(r=>r!==i);return i===void 0||s===void 0?null:[i,s]}var PC={type:"number",unit:"s",min:0,step:.1},by={type:"number",unit:"m",step:.05},RC={type:"number",unit:"\xB0",step:5},IC=[{key:"name",label:"Name",type:"text",usual:"meeting"},{key:"time",label:"At",type:"time"},{key:"hold",label:"Stay",...PC,usual:"0"},{key:"distance",label:"Apart",...by,min:.05},{key:"heading",label:"Heading",...RC,usual:"as it comes"},{key:"position",label:"Place",type:"place",usual:"where they stand"}],LC=[{key:"first",label:"Joint",type:"joint"},{key:"second",label:"meets",type:"joint"},{key:"gap",label:"Gap",...by,min:0,usual:"0"}],Sy=n=>(n.meet??[]).map(t=>[t.name??"",My(t).length]),My=n=>Array.isArray(n.joints)?n.joints:[];function wy(n,t,e){let i=Object.keys(n.cast??{});if(i.length<2&&(n.meet??[]).length===0)return[];let s=(n.meet??[]).map((o,a)=>{let l={type:"choice",options:i},c=[...t(["meet",a,"between"],[{key:0,label:"First",...l}]),...t(["meet",a,"between"],[{key:1,label:"Second",...l}])],h=My(o).flatMap((p,x)=>t(["meet",a,"joints",x],LC)),u=vt("Add joints that meet",()=>{let p={first:"right_hand",second:"right_hand",gap:.18};e.editing.commit(ue(e.store.now.doc,["meet",a,"joints"],p),"add joints")}),d=[...c,...t(["meet",a],IC),...h,u],f=typeof o.name=="string"?o.name:`meeting ${String(a+1)}`;return pr(f,d,()=>({ops:ae(e.store.now.doc,["meet",a]),tools:e}))}),r=vt("Add a meeting",()=>{DC(e)});return[P("h3",{},"Meetings"),...s,r]}function DC({store:n,editing:t}){let{doc:e,plan:i,who:s}=n.now,r=vy(e,s);if(i===null||r===null)return;let o=Object.fromEntries(Object.keys(e.cast??{}).map(a=>[a,NC(n,i,a)]));t.commit(_y(e,i,r,o),"add a meeting")}function NC(n,t,e){let i=n.bodies.joints(e,["hips"],kn(t,e)?.last??0)?.[0];return i===void 0?null:[i[0],i[2]]}var OC=[{key:"fps",label:"Frames/s",type:"number",min:1,max:240,step:1,usual:"30"},{key:"seed",label:"Seed",type:"number",min:0,step:1,usual:"0"},{key:"library",label:"Library",type:"text",usual:"as given"}],UC=[{key:"position",label:"Place",type:"place",usual:"none"},{key:"facing",label:"Facing",type:"number",unit:"\xB0",step:5,usual:"any"},{key:"point",label:"Point",type:"point",usual:"none"},{key:"time",label:"Time",type:"number",unit:"s",min:0,step:.1,usual:"none"}],FC=[{key:"position",label:"Begins at",type:"place",usual:"0, 0"},{key:"facing",label:"Facing",type:"number",unit:"\xB0",step:5,usual:"0"}];function Ey(n){let{store:t}=n,e=P("div",{class:"shot-panel"}),i="",s=[];return t.onCalm(["doc"],({doc:r})=>{let o=kC(r);if(o!==i){i=o,s=[];let a=(l,c)=>{let h=c.map(u=>Gi(u,[...l,u.key],n));return s.push(...h),h.map(u=>u.element)};e.replaceChildren(...BC(r,a,n))}for(let a of s)a.refresh()}),e}function kC(n){let t=_i(n).map(i=>i.path.join("/")+i.shape),e=[Object.keys(n.cast??{}),Object.keys(n.marks??{})];return JSON.stringify([...e,t,Sy(n),wh(n)])}function BC(n,t,e){let i=Object.keys(n.cast??{}).map(o=>pr(o,t(["cast",o,"start"],FC),zC(o,e))),s=Object.keys(n.marks??{}).map(o=>pr(o,t(["marks",o],UC),()=>({ops:ae(e.store.now.doc,["marks",o]),tools:e}))),r=_i(n).map(o=>pr(`${o.label} ${String(o.path[1]+1)}`,t(o.path,cf[o.shape]??[]),()=>({ops:ae(e.store.now.doc,o.path),tools:e})));return[P("h2",{},"Shot"),...t([],OC),...t(wh(n).slice(0,-1),[mr]),vt("New shot\u2026",e.begin),P("h3",{},"Cast"),...i,vt("Add a character",()=>{HC(e)}),P("h3",{},"Marks"),...s,vt("Add a mark",()=>{GC(e)}),...wy(n,t,e),P("h3",{},"Obstacles and ground"),...r,P("p",{class:"quiet"},"Put new ones into the view with its tools.")]}function zC(n,t){return()=>{let{doc:e}=t.store.now;return{ops:[...ae(e,["tracks",n]),...ae(e,["cast",n])],tools:t}}}function HC({store:n,editing:t}){let{doc:e,plan:i,library:s}=n.now,r=gy(e),o=Object.keys(e.cast??{}).flatMap(a=>n.bodies.way(a));t.commit(yy(e,i,r,o,s),`add ${r}`)&&n.set({who:r})}function GC({store:n,editing:t}){let{doc:e}=n.now,i=1;for(;pt(e,["marks",`mark_${String(i)}`])!==void 0;)i++;t.commit(Bt(e,["marks",`mark_${String(i)}`],{position:[1,1]}),"add a mark")}var df=72,VC="Each seen from above. Cost: how far keys are missed and captured motion is bent or joined hard; less is better. Only these can be compared with each other.";function Ty(n){let t=P("div",{class:"alternatives",role:"group","aria-label":"Other ways"}),e=P("h3",{},"Other ways"),i=P("div",{class:"alternatives-box",hidden:!0},e,P("p",{class:"quiet"},VC),t),s=null;return{element:i,show:o=>{let{alternatives:a}=n.store.now,l=n.store.now.plan?.tracks[o.who]?.find(u=>u.index===o.span),h=a?.who===o.who&&a.span===l?.id?a.items:[];h!==s&&(s=h,i.hidden=h.length===0,t.replaceChildren(...h.map((u,d)=>WC(u,d,()=>{n.send({type:"choose",who:o.who,span:l?.id??"",item:u.id})}))),h.length>0&&i.scrollIntoView({block:"nearest"}))}}}function WC(n,t,e){let i=P("canvas",{width:2*df,height:2*df,class:"thumb"}),s=n.shown===!0,r=`${s?"\u2713 shown now":String(t+1)}: cost ${n.score.toFixed(2)}`,o=vt("",e,{class:"alternative",title:(n.rows??[]).join(`
`),"aria-pressed":String(s)});return o.append(i,P("span",{},r)),requestAnimationFrame(()=>{XC(i,n.path)}),o}function XC(n,t){let e=n.getContext("2d");if(e===null||t.length===0)return;let[i,s]=[t.map(h=>-h[0]),t.map(h=>-h[1])],[r,o]=[Math.min(...i),Math.min(...s)],a=Math.max(Math.max(...i)-r,Math.max(...s)-o,.5),l=(2*df-32)/a,c=h=>[16+((i[h]??0)-r)*l,16+((s[h]??0)-o)*l];e.clearRect(0,0,n.width,n.height),e.strokeStyle=getComputedStyle(n).color,e.fillStyle=e.strokeStyle,e.lineWidth=4,e.beginPath(),t.forEach((h,u)=>{e.lineTo(...c(u))}),e.stroke(),e.beginPath(),e.arc(...c(t.length-1),8,0,2*Math.PI),e.fill()}function Ay(n,t){let{store:e,editing:i}=t,s=[...fe(n.who,n.span),"keys"],r=P("div",{}),o=vt("Add pose",()=>{let{doc:h,plan:u}=e.now,d=u===null?null:e0(h,u,n.who,n.span);d!==null&&i.commit(ue(h,s,d),"add a pose")}),a=[],l=-1,c=()=>{let h=pt(e.now.doc,s),u=Array.isArray(h)?h.filter(Te):[];if(u.length!==l&&!bi(r)){l=u.length;let d=u.map((f,p)=>$C([...s,p],p,l,t));a=d.flatMap(f=>f.controls),r.replaceChildren(...d.map(f=>f.element))}for(let d of a)d.refresh()};return{element:P("div",{class:"poses"},r,o),refresh:c}}function $C(n,t,e,i){let{store:s,editing:r}=i,o=e>1?`Pose ${String(t+1)}`:"Pose",a=(Xc.pose??[]).map(u=>Gi(u,[...n,u.key],i)),l=a.map(u=>u.element),c=vt("Delete pose",u=>{u.currentTarget.blur(),r.commit(ae(s.now.doc,n),"delete a pose")}),h=e>1?[c]:[];return{element:P("div",{role:"group","aria-label":o},P("h3",{},o),...l,...h),controls:a}}function qC(n,t){let e=pt(n,[...t,"to"])??pt(n,[...t,"position"]);if(typeof e!="string")return null;let i=pt(n,["marks",e,"facing"]);return typeof i=="number"?`${String(i)}, as ${e} has it`:null}function Cy(n,t,e,i){let s=n.element.querySelector("input"),r=()=>{n.refresh(),s!==null&&(s.placeholder=qC(i.store.now.doc,t)??e)};return{element:n.element,refresh:r}}function Py(n){let{store:t}=n,e=P("div",{class:"span-panel"}),i=null,s=()=>{};return t.onCalm(["chosen","doc","plan","library","report","alternatives"],()=>{let r=t.chosenItem,o=r===null?vh(n):null,a=r===null?YC(o):`${r.id} ${r.kind}`;a!==i&&(i=a,r!==null?s=ZC(e,r,n):s=o===null?KC(e):Y0(e,o,n)),s()}),e}var YC=n=>n===null?"":`${n.path.join("/")} ${n.shape}`;function KC(n){return n.replaceChildren(P("p",{class:"quiet"},"Choose a span or a key in the timeline, or click on the ground to place a checkpoint.")),()=>{}}function ZC(n,t,e){let s=t.lane==="spans"||t.lane==="layer"||t.kind==="reach"||t.kind==="goal"||t.kind==="path",r=s?jC(t,e):QC(t,e),o=P("h2",{},JC(t)),a=s?zo[ff(t,e)]?.what:"",l=P("ul",{class:"outcome"}),c=Ty(e),h=[o,P("p",{class:"quiet"},a??"")];return s&&h.push(tP(t,e)),h.push(...r.map(u=>u.element)),h.push(eP(t,e),l,c.element),n.replaceChildren(...h),()=>{let u=e.store.chosenItem;if(u!==null){for(let d of r)d.refresh();iP(l,u,e),c.show(u)}}}var JC=n=>n.kind===n.label?n.label:`${n.label} (${n.kind.replaceAll("_"," ")})`;function ff(n,t){return t.store.now.doc.tracks?.[n.who]?.[n.span]?.do??n.kind}function jC(n,t){let e=ff(n,t),i=e==="reach"||e==="between"?[]:zg,s=[...zo[e]?.fields??[],...i,Hg],r=fe(n.who,n.span),a=[...e==="between"?[Ay(n,t)]:[],...s.map(l=>Ry(l,r,t))];return n.lane==="spans"?[...a,...xy(n,t)]:a}function Ry(n,t,e){let i=Gi(n,[...t,n.key],e);return n.key==="facing"?Cy(i,t,n.usual??"",e):i}function QC(n,t){let e=Xc[n.kind]??[],i=t.store.now.doc.tracks?.[n.who]?.[n.span];return e.map(s=>{let r=s.key==="time"&&n.time?.at(-1)==="from"&&i!==void 0;return Ry(r?{...s,key:"from"}:s,n.path,t)})}function tP(n,t){let{store:e,editing:i}=t,s=P("input",{type:"text",id:"span-name",spellcheck:"false"}),r=e.now.plan?.tracks[n.who]?.find(a=>a.index===n.span);s.value=r?.id??"",s.pattern="[A-Za-z][A-Za-z0-9_\\-]{0,63}",s.addEventListener("change",()=>{let{doc:a,plan:l}=e.now;l===null||!s.checkValidity()||s.value===""||i.commit(Yg(a,l,n.who,n.span,s.value),`rename ${n.label}`)});let o=P("label",{for:"span-name"},"Name");return P("div",{class:"field"},o,P("span",{class:"value"},s))}function eP(n,t){let{store:e,editing:i}=t,s=P("div",{class:"buttons"}),r=ff(n,t);if(n.lane==="spans"&&(r==="walk"||r==="edit")&&s.append(vt("Add hand key here",()=>{nP(n,t)})),n.lane==="spans"){let o=n.label;s.append(vt("Other ways",()=>{t.send({type:"alternatives",who:n.who,span:o})}))}return s.append(vt("Delete",()=>{let{doc:o,plan:a}=e.now,l=e.chosenItem;a!==null&&l!==null&&i.commit(or(o,a,l),`delete ${l.label}`)})),s}function nP(n,t){let{store:e,editing:i}=t,s=e.now.frame/e.fps-n.start,r=Math.min(Math.max(s,0),n.end-n.start),o=[...n.path,"constraints","joints"],a={time:Dt(r),joint:"right_hand",position:[.3,1.1,.5]};i.commit(ue(e.now.doc,o,a),"add a hand key")}function iP(n,t,e){let i=e.store.now.plan?.tracks[t.who]?.find(o=>o.index===t.span),s=e.store.now.report[t.who]?.spans.find(o=>o.id===i?.id),r=s===void 0?[]:[...s.problems,...s.rows,...s.notes];if(r.length===n.children.length){r.forEach((o,a)=>{Se(n.children[a],o)});return}n.replaceChildren(...r.map(o=>P("li",{},o))),s?.problems.forEach((o,a)=>{n.children[a]?.classList.add("bad")})}var Vi=[["span","Span"],["report","Report"],["library","Library"],["shot","Shot"],["export","Export"]];function Iy(n,t,e){let i=Vi.map(([r,o])=>vt(o,()=>{t.set({tab:r})},{role:"tab",id:`tab-${r}`,"aria-controls":`panel-${r}`})),s=P("div",{class:"tabs",role:"tablist","aria-label":"Panels"},...i);s.addEventListener("keydown",r=>{let o={ArrowLeft:-1,ArrowRight:1}[r.key];if(o===void 0)return;r.preventDefault(),r.stopPropagation();let l=(Vi.findIndex(([c])=>c===t.now.tab)+o+Vi.length)%Vi.length;t.set({tab:Vi[l][0]}),i[l]?.focus()});for(let[r]of Vi){let o=e[r];o.id=`panel-${r}`,o.setAttribute("role","tabpanel"),o.setAttribute("aria-labelledby",`tab-${r}`)}n.append(s,...Vi.map(([r])=>e[r])),t.on(["tab"],({tab:r})=>{Vi.forEach(([o],a)=>{e[o].hidden=o!==r,i[a]?.setAttribute("aria-selected",String(o===r)),i[a]&&(i[a].tabIndex=o===r?0:-1)})})}var Ly="[A-Za-z][A-Za-z0-9_\\-]{0,63}";function Dy(n,t){let e=P("input",{id:"new-who",type:"text",required:!0,pattern:Ly,value:"anna"}),i=P("input",{id:"new-other",type:"text",pattern:Ly,placeholder:"nobody"}),s=P("input",{id:"new-clips",type:"text",required:!0,spellcheck:"false"}),r=P("dialog",{class:"keysheet begin","aria-labelledby":"new-title"}),o=P("form",{method:"dialog"},P("h2",{id:"new-title"},"A new shot"),pf(e,"Who is in it?","Alone, they walk to a door, wait, reach and go back."),pf(i,"Who else?","Two come to each other and shake hands."),pf(s,"Clips","A folder or library beside the shot file."),P("p",{class:"quiet"},"It takes the place of this shot; undo brings that back."),P("div",{class:"buttons"},P("button",{type:"submit"},"Begin"),vt("Cancel",()=>{r.close()})));return o.addEventListener("submit",()=>{let a=[e.value,i.value].map(l=>l.trim()).filter(l=>l!=="");t({type:"new",names:a,library:s.value.trim()})}),r.append(o),{element:r,open:()=>{s.value=n.now.doc.library??"clips",r.showModal(),e.select()}}}function pf(n,t,e){let i=P("label",{for:n.id},t),s=P("span",{class:"value"},n,P("span",{class:"quiet"},e));return P("div",{class:"field"},i,s)}function Ny(n){let t=P("p",{class:"caveat",role:"note",hidden:!0});return n.on(["shot","shownAs","plan","isDragging","frame","made","making","who"],e=>{let i=uy(e);Se(t,i);let s=(e.shot?.problems.length??0)>0?"bad":"early";t.dataset.state!==s&&(t.dataset.state=s),t.hidden!==(i==="")&&(t.hidden=i==="")}),t}var Oy="motionloom_tried";function mf(n){let t=2166136261;for(let e of n)t=Math.imul(t^(e.codePointAt(0)??0),16777619)>>>0;return t.toString(36)}function Uy(n){return(n.split(";").map(i=>i.trim().split("=")).find(([i])=>i===Oy)?.[1]??"").split(".").filter(i=>i!=="")}function Fy(n,t){let e=[mf(t),...Uy(n).filter(i=>i!==mf(t))];return`${Oy}=${e.slice(0,20).join(".")}; max-age=${String(31536e3)}; path=/; samesite=strict`}var ky=(n,t)=>Uy(n).includes(mf(t));var sP=2500,By=[["ring","Drag a ring on the ground: the walk follows."],["hand","Pause (Space), then drag the yellow ball on a hand."],["live","Click a waiting span below and slide its liveliness, or choose a speed for a gait."]];function Hy(n){let t=P("aside",{class:"first","aria-label":"Three things to try",hidden:!0}),e=new Map;for(let[r,o]of By)e.set(r,P("li",{},P("span",{class:"mark-done","aria-hidden":!0},"\u25CB"),o));let i=vt("Dismiss",()=>{zy(t,n)});t.append(P("h2",{},"Three things to try"),P("ol",{},...e.values()),i),n.on(["plan","welcome"],({plan:r,welcome:o})=>{r!==null&&o!==null&&(t.hidden=ky(document.cookie,o.file))});let s=new Set;return n.on(["shot"],(r,o)=>{let a=r.shot===o.shot||o.shot===null?null:rP(r);if(a===null||s.has(a))return;s.add(a);let l=e.get(a);l?.classList.add("done"),l?.querySelector(".mark-done")?.replaceChildren("\u2713"),s.size===By.length&&setTimeout(()=>{zy(t,n)},sP)}),t}function rP(n){let{shot:t}=n,e=t?.transient===!1&&t.can_undo?t.undo_label??"":"";return/(hand|foot|gaze)/.test(e)?"hand":/^change (liveliness|speed)/.test(e)?"live":/^(move(?! the (start|end) of)|turn) /.test(e)?"ring":null}function zy(n,{now:t}){n.hidden=!0,document.cookie=Fy(document.cookie,t.welcome?.file??"")}function Gy(){let n=ey.map(([s,r])=>P("tr",{},P("th",{scope:"row"},s),P("td",{},r))),t=P("dialog",{class:"keysheet","aria-label":"Keys"}),e=vt("Close",()=>{t.close()}),i=P("p",{},"Drag rings over the ground, their knob turns them, and hand keys that are reached from there come along; drag the yellow balls on hands, feet and head on any frame; click on the ground for a checkpoint; drag entries of the timeline, or their ends.");return t.append(P("h2",{},"Keys and mouse"),i,P("table",{},...n),e),{element:t,toggle:()=>{t.open?t.close():t.showModal()}}}var Vy=96,oP=24;function Wy(n){let t=P("div",{class:"topbar",role:"banner"}),e=P("div",{class:"tools",role:"toolbar","aria-label":"Tools of the view"}),i=P("section",{class:"view","aria-label":"View"},e),s=P("aside",{class:"side","aria-label":"Panel"}),r=P("section",{class:"timeline","aria-label":"Timeline"}),o=P("div",{class:"said",role:"status","aria-live":"polite"}),a=P("div",{class:"notices",role:"alert"}),l=P("div",{class:"studio"}),c=aP(l,r);return l.append(t,i,s,c,r,a,o),n.replaceChildren(l),{root:l,bar:t,view:i,tools:e,panel:s,timeline:r,said:o,notices:a}}function aP(n,t){let e=P("div",{class:"splitter",role:"separator",tabindex:0,"aria-orientation":"horizontal","aria-label":"Height of the timeline"}),i=s=>{let r=Math.max(Vy,n.clientHeight-180),o=Math.min(Math.max(s,Vy),r);n.style.setProperty("--timeline",`${String(Math.round(o))}px`),e.setAttribute("aria-valuenow",String(Math.round(o))),window.dispatchEvent(new Event("resize"))};return e.addEventListener("pointerdown",s=>{let r=t.clientHeight;ps(s,o=>{i(r+s.clientY-o.clientY)},()=>{})}),e.addEventListener("keydown",s=>{let r={ArrowUp:1,ArrowDown:-1}[s.key];r!==void 0&&(s.preventDefault(),s.stopPropagation(),i(t.clientHeight+r*oP))}),e}var lP=(n,t,e)=>n<0?t>0?0:e-1:(n+t+e)%e,cP=[["canvas"],['[role="tab"][aria-selected="true"]'],['.item[tabindex="0"]',"button"],["button:enabled"]];function Xy({view:n,panel:t,timeline:e,bar:i}){let s=[n,t,e,i];document.addEventListener("keydown",r=>{if(r.key!=="F6"||r.ctrlKey||r.altKey||r.metaKey)return;r.preventDefault();let o=s.findIndex(c=>c.contains(document.activeElement)),a=lP(o,r.shiftKey?-1:1,s.length);cP[a]?.map(c=>s[a]?.querySelector(c))?.find(c=>c)?.focus()})}function hP(n,t,e){for(let i=0;i<40;i++){n.updateMatrixWorld();let s=e.clone().project(n);if(s.z<1&&Math.abs(s.x)<.8&&Math.abs(s.y)<.6)return i>0;let r=e.clone().sub(t).setY(0).multiplyScalar(s.z<1?.1:1);t.add(r),n.position.add(r)}return!0}var Eh=class{constructor(t,e,i){this.stage=t;this.store=e;t.onDraw(()=>{this.isFollowing&&!e.now.isDragging&&i.playing&&this.keep()}),i.onFrame(s=>{let r=Math.abs(s-this.frame);this.frame=s,!i.playing&&(r>1.5||this.isFollowing)&&this.keep()})}stage;store;isFollowing=!0;frame=0;toggle(){return this.isFollowing=!this.isFollowing,this.isFollowing&&this.keep(),this.isFollowing}keep(){let{stage:t}=this,e=t.figures.get(this.store.now.who??"");e?.track&&hP(t.rig.camera,t.rig.target,e.center)&&t.invalidate()}};var $y=[["place","Checkpoint","A click on the ground places a checkpoint"],["gaze","Gaze","A click on the ground is where the eyes go on this frame"],["post","Post","A click on the ground puts a post there"],["box","Box","A click on the ground puts a box there"],["slope","Slope","A click on the ground puts a slope there"],["stairs","Stairs","A click on the ground puts stairs there"],["look","Look","Nothing is taken hold of"]];function qy(n,t,e){let i=$y.map(([c,h,u])=>vt(h,()=>{t.set({tool:c})},{title:u})),s=(c,h)=>{c.setAttribute("aria-pressed",String(h))},r=vt("Follow",()=>{s(r,e.follow())},{title:"F"}),o=vt("Ghost",()=>{s(o,e.ghost())},{title:"G"}),a=vt("See all",()=>{e.fit()}),l=document.createElement("span");return l.className="gap",s(r,!0),s(o,!1),n.append(...i,l,r,o,a),t.on(["tool"],({tool:c})=>{$y.forEach(([h],u)=>{let d=i[u];d&&s(d,h===c)})}),{follow:()=>{r.click()},ghost:()=>{o.click()}}}function Ky(n,t,e,i,s){let r=P("strong",{class:"file"}),o=P("span",{class:"saved"}),a=vt("Undo",()=>{e.undo()},{title:"Ctrl+Z"}),l=vt("Redo",()=>{e.redo()},{title:"Ctrl+Shift+Z or Ctrl+Y"}),c=vt("Play",()=>{i.toggle()},{class:"play",title:"Space"}),h=P("span",{class:"time"}),u=dP(t,s),d=vt("Finish",()=>{s.solve()},{title:"Make the shot as the command line does, with the whole search"}),f=vt("Export",()=>{s.tab("export")}),p=vt("?",()=>{s.help()},{"aria-label":"Help",title:"Keys: ?"}),x=vt("Panel",()=>{s.panel()},{class:"to-panel"}),m=P("span",{class:"name"},r,o);n.append(m,a,l,c,h,u,d,f,x,p),t.onCalm(["shot","welcome","connection","isDragging"],g=>{Se(r,g.welcome?.file??"motionloom studio");let{shot:v}=g;Se(o,uP(g)),o.dataset.state=g.connection==="open"&&v?.saved?"yes":"no",Yy(a,"Undo",v?.can_undo,v?.undo_label),Yy(l,"Redo",v?.can_redo,v?.redo_label)}),t.on(["frame","plan","isPlaying"],g=>{Se(c,g.isPlaying?"Pause":"Play"),Se(h,`${hn(g.frame/t.fps)} / ${hn(t.duration)}`)})}function Yy(n,t,e,i){n.disabled=e!==!0,Se(n,e&&i?`${t} ${i}`:t)}function uP(n){return n.connection==="lost"?"connection lost, trying again":n.connection==="connecting"?"connecting":n.welcome?.reader?`read only: another ${n.welcome.writer??"window"} writes`:n.shot===null?"loading":n.shot.saved?"saved":"saving"}function dP(n,t){let e=P("span",{class:"status-text"}),i=P("progress",{max:1,"aria-label":"How far the shot is"}),s=vt("",()=>{t.problem()},{class:"search"});return s.append(e,i),n.onCalm(["making","isExporting","solver","shot","plan","idleRev","shownRev","connection"],o=>{let a=hy(o);Se(e,a.text),s.title!==a.title&&(s.title=a.title),s.dataset.state=o.connection==="lost"?"bad":a.kind,i.hidden=a.share===null,i.value=a.share??0}),P("span",{class:"status-box",role:"status"},s)}var fP={connection:"connecting",welcome:null,shot:null,doc:{},plan:null,characters:{},report:{},reportRev:-1,reportQuality:"search",idleRev:-1,naturalness:null,making:null,solver:null,library:null,alternatives:null,exported:[],refused:null,notices:[],bent:new Set,who:null,chosen:null,tool:"place",tab:"span",frame:0,motions:0,isPlaying:!1,isDragging:!1,isPulling:!1,isExporting:!1,shownRev:-1,awaited:null,shownAs:"nothing",made:new Set},pP=300,Th=class{bodies=Lg;state=fP;listeners=[];known=null;get now(){return this.state}set(t){let e=this.state;this.state={...e,...t};let i=Object.keys(t).filter(s=>e[s]!==this.state[s]);if(i.length!==0)for(let{keys:s,tell:r}of this.listeners)s.some(o=>i.includes(o))&&r(this.state,e)}on(t,e){this.listeners.push({keys:t,tell:e}),e(this.state,this.state)}onCalm(t,e){let i=null,s,r=()=>{clearTimeout(s);let o=i;i=null,o!==null&&e(this.state,o)};this.on(t,(o,a)=>{i??=a,clearTimeout(s),this.state.isPulling?s=setTimeout(r,pP):r()}),this.on(["isPulling"],({isPulling:o})=>{o||r()})}items(t){let{doc:e,plan:i,characters:s}=this.state;if(i===null)return[];(this.known?.doc!==e||this.known.plan!==i)&&(this.known={doc:e,plan:i,items:{}});let{items:r}=this.known;return r[t]??=c0(e,i,t,s[t])}choose(t){this.set(t===null?{chosen:null}:{chosen:t.id,who:t.who,tab:"span"})}get chosenItem(){let{chosen:t,plan:e}=this.state;if(t===null||e===null)return null;let i=t.split("/")[1]??"";return this.items(i).find(s=>s.id===t)??null}get fps(){return this.state.plan?.fps??this.state.doc.fps??30}get duration(){return(this.state.plan?.frames??0)/this.fps}};function gr(n,t,e,i,s,r){let o=n.getContext("2d",{willReadFrequently:!0});if(o===null||t<=0)return null;let a=window.devicePixelRatio||1,[l,c]=[Math.round(t*a),Math.round(e*a)];(n.width!==l||n.height!==c)&&(n.width=l,n.height=c,n.style.width=`${String(t)}px`,n.style.height=`${String(e)}px`),o.setTransform(a,0,0,a,0,0),o.clearRect(0,0,t,e);let h=getComputedStyle(n);return{context:o,width:t,height:e,from:i,fps:s,scale:r,color:d=>h.getPropertyValue(`--${d}`).trim()}}var Qy=.35,Jo=(n,t)=>n.scale.x(t/n.fps-n.from);function*gf(n,t){for(let e=0;e<n.width;e++){let i=Math.floor((n.from+n.scale.seconds(e))*n.fps),s=Math.floor((n.from+n.scale.seconds(e+1))*n.fps);if(i>=t)return;yield[e,Math.max(0,i),Math.min(Math.max(s,i),t-1)]}}function tx(n,t){let e=n.height/2;n.context.fillStyle=n.color("ink-soft"),Object.entries(t).slice(0,2).forEach(([,i],s)=>{for(let[r,o,a]of gf(n,i.length))i.subarray(o,a+1).some(l=>l>0)&&n.context.fillRect(r,s*e+3,1,e-5)})}function ex(n,t,e=!1){let{context:i,height:s}=n;i.globalAlpha=e?Qy:1,i.font="11px system-ui, sans-serif",i.textBaseline="middle",t.forEach((r,o)=>{let[a,l]=[Jo(n,r.first),Jo(n,r.last)];l<0||a>n.width||(i.fillStyle=n.color(o%2===0?"piece-a":"piece-b"),i.fillRect(a,3,Math.max(1,l-a-1),s-6),i.fillStyle=n.color("seam"),i.fillRect(a,0,2,s),!(l-a<40)&&(i.save(),i.beginPath(),i.rect(Math.max(a+3,0),0,l-Math.max(a+3,0)-3,s),i.clip(),i.fillStyle=n.color("ink"),i.fillText(r.clip,Math.max(a+5,3),s/2),i.restore()))}),i.globalAlpha=1}function nx(n,t,e){let{context:i,height:s}=n;i.font="11px system-ui, sans-serif",i.textBaseline="middle";for(let r of t){let[o,a]=[Jo(n,r.first),Jo(n,r.last)];if(a<0||o>n.width)continue;let l=Math.max(6,a-o);i.fillStyle=n.color("chosen"),i.fillRect(o-3,3,l,s-6),i.fillStyle=n.color("ink"),i.fillText(mP(r,e),o+l+2,s/2)}}function mP({name:n,between:t},e){return`${n}, ${t.find(i=>i!==e)??""}`}function ix(n,{values:t,isOld:e,missing:i}){let{context:s,height:r}=n,o=(r-4)/2;for(let[a,l,c]of gf(n,t.length)){let h=0;for(let d=l;d<=c;d++)h=Math.max(h,t[d]??0);s.fillStyle=n.color(e?"old":h>1?"bad":"good");let u=2+Math.min(h,2)*o;s.fillRect(a,r-u,1,u)}if(t.length===0){s.fillStyle=n.color("ink-soft"),s.font="11px system-ui, sans-serif",s.textBaseline="middle",s.fillText(i,6,r/2);return}gP(n,Math.round(r-2-o),Math.min(n.width,Jo(n,t.length)))}function gP(n,t,e){let{context:i}=n;for(let s=0;s<e;s+=8)i.fillStyle=n.color("surface"),i.fillRect(s,t-1,6,3),i.fillStyle=n.color("ink"),i.fillRect(s+1,t,4,1)}var Jy=.05;function sx(n,t,e=!1){let{context:i,height:s}=n;i.globalAlpha=e?Qy:1;let r=jy(t),o=Math.max(Jy,r);for(let[a,l,c]of gf(n,t.length)){let h=jy(t.subarray(l,c+1));if(Number.isNaN(h))continue;let u=3+h/o*(s-6);i.fillStyle=n.color(h>Jy?"bad":"error"),i.fillRect(a-1,s-u,3,u)}return i.globalAlpha=1,r}function jy(n){let t=Number.NaN;for(let e of n)!Number.isNaN(e)&&!(e<=t)&&(t=e);return t}function rx(n,t){let{context:e,height:i,scale:s}=n,r=s.step();e.font="11px system-ui, sans-serif",e.textBaseline="top";let o=Math.max(t,n.from+s.seconds(n.width)),a=r/5;for(let l=Math.floor(n.from/a);l*a<=o;l++){let c=s.x(l*a-n.from);if(c>n.width)break;let h=l%5===0;e.fillStyle=n.color(l*a>t?"line":"ink-soft"),e.fillRect(c,h?i-9:i-4,1,h?9:4),h&&e.fillText(yP(l*a,r),c+3,2)}}function yP(n,t){let e=Math.floor(n/60+1e-9),s=(n-e*60).toFixed(t<1?1:0);return e>0?`${String(e)}:${s.padStart(t<1?4:2,"0")}`:`${s} s`}var ox=26,xP="How far body and joints are off their keys, where a key holds; red beyond 5 cm.",_P="How far each moment is from captured ones: the dashed line is what 99 of 100 of them stay below; what is above it is red. Of feet that slide, where clips are too few.",vP=.75;function ax(n,t){let{store:e,playback:i}=n,s=P("canvas",{class:"strip"}),r=P("canvas",{class:"strip natural",role:"img"}),o=P("span",{class:"most"}),a=P("span",{},"Naturalness"),l=0,c=()=>e.now.report[e.now.who??""],h=()=>c()?.series,u=()=>ay(h(),e.now.naturalness,e.now.who??"",c()?.isOld),d=(M,S)=>{let{values:T}=u(),A=h()?.error;T.length===0&&A===void 0||(i.pause(),i.seek(cy(T,A,M,S)))},f=M=>{let S=M.currentTarget.getBoundingClientRect().left;return Math.round((l+t.seconds(M.clientX-S))*e.fps)},p=M=>{d(f(M),Math.round(vP*e.fps))};r.addEventListener("pointermove",M=>{let S=f(M),T=e.now.naturalness?.[e.now.who??""];r.title=`${hn(S/e.fps)}: ${ly(u(),T,S)}`});for(let M of[s,r])M.addEventListener("pointerdown",p);let x=vt("\u25B8",()=>{d(0,Number.MAX_SAFE_INTEGER)},{"aria-label":"Worst",title:"Go to the frame that is worst"}),m=[P("div",{class:"lane"},P("div",{class:"lane-name",title:xP},"Error ",o),s),P("div",{class:"lane"},P("div",{class:"lane-name",title:_P},a,x),r)];return{element:P("div",{class:"tl-curves"},...m),draw:(M,S)=>{l=S;let T=h(),A=gr(s,M,ox,l,e.fps,t),y=gr(r,M,ox,l,e.fps,t),w=u();if(x.disabled=T===void 0&&w.values.length===0,y!==null&&(Se(a,w.label),r.setAttribute("aria-label",bP(w,e)),r.dataset.measured=w.values.length>0&&!w.isOld?"yes":"no",ix(y,w)),A===null)return;let L=T?.error===void 0?null:sx(A,T.error,c()?.isOld);Se(o,L===null?"":SP(L))}}}function bP(n,t){let e=t.now.naturalness?.[t.now.who??""];if(e===void 0||n.label!=="Naturalness")return`${n.label} ${n.missing}`.trim();let i=Sh(e,1)[0]??e.worst;return`Naturalness: the least natural moment is at ${hn(i.frame/t.fps)}, ${dr(i.value)}`}var SP=n=>Number.isNaN(n)?"no keys":n<.01?`${(1e3*n).toFixed(0)} mm`:`${(100*n).toFixed(0)} cm`;var MP=[["spans","Spans",!0],["layer","Layers",!1],["body","Body",!0],["hand","Hands",!0],["foot","Feet",!1],["gaze","Gaze",!1],["joint","Joints",!1],["path","Paths",!1],["style","Style",!0]],wP=[["contacts","Contacts"],["pieces","Pieces"]];function lx(n){let{plan:t,who:e}=n.now;return Object.keys(t?.tracks??{}).flatMap(i=>{let s=n.items(i),r=MP.flatMap(([a,l,c])=>{if(i!==e&&a!=="spans")return[];let h=s.filter(u=>u.lane===a);return c||h.length>0?[yf(i,a,l,h)]:[]});if(i!==e)return r;let o=xf(n,i).length>0?[yf(i,"meet","Meetings",[])]:[];return[...r,...o,...wP.map(([a,l])=>yf(i,a,l,[]))]})}function xf(n,t){return(n.now.plan?.meetings??[]).filter(e=>e.between.includes(t))}function yf(n,t,e,i){let s=EP(i),r=s.length===0?1:Math.max(...s)+1;return{id:`${n}/${t}`,who:n,kind:t,label:e,items:i,rows:s,height:r*22}}function EP(n){let t=[];return n.map(e=>{let i=t.findIndex(r=>r<=e.start+1e-6),s=i<0?t.length:i;return t[s]=Math.max(e.end,e.start+.05),s})}var AP=7,cx=8;function hx(n){let t=P("span",{class:"item-text"});return P("button",{type:"button",class:"item",tabindex:-1,"data-id":n.id},t)}var ux=n=>n.lane==="spans"||n.lane==="layer"||n.lane==="style"||n.lane==="path";function dx(n,t,e,i){let s=ux(t),r=e.x(t.start),o=e.x(t.end-t.start);n.className=s?"item bar-item":"item key-item",n.style.left=`${String(s?r:r-cx)}px`,n.style.width=`${String(s?Math.max(o,6):o+2*cx)}px`,n.style.top=`${String(i.row*22)}px`,n.dataset.kind=t.kind,n.dataset.lane=t.lane,n.toggleAttribute("data-bent",i.isBent),n.toggleAttribute("data-problem",i.hasProblem),n.setAttribute("aria-pressed",String(i.isChosen));let a=PP(t,i);n.setAttribute("aria-label",a),n.title=a,Se(n.firstElementChild,CP(t))}var CP=n=>n.lane==="spans"&&n.label!==n.kind&&!n.label.startsWith(n.kind)?`${n.label} \xB7 ${n.kind}`:n.label;function PP(n,t){let e=n.label===n.kind?"":`${n.kind.replaceAll("_"," ")} `,i=n.end>n.start?` to ${hn(n.end)}`:"",s=[t.isBent?"not confirmed yet":"",t.hasProblem?"has a problem":""];return[`${e}${n.label}, ${hn(n.start)}${i}`,...s].filter(Boolean).join(", ")}function fx(n,t,e){if(n.kind==="reach"||n.lane==="path"||!ux(n))return"whole";let i=Math.min(AP,e/4);return t<i?"start":t>e-i?"end":"whole"}var RP=[.1,.2,.5,1,2,5,10,15,30,60,120,300],Ah=class{perSecond=80;x(t){return t*this.perSecond}seconds(t){return t/this.perSecond}zoom(t){this.perSecond=Math.min(Math.max(this.perSecond*t,2),400)}fit(t,e){this.perSecond=Math.min(Math.max(e/Math.max(t+2/4,.5),2),400)}step(t=64){return RP.find(e=>this.x(e)>=t)??600}};function px(n,t,e){let i=n,s=e;for(let r of t){let o=Math.abs(r-n);o<s&&(s=o,i=r)}return i}var gx=3,IP=6;function yx(n,t,e){if(n.button!==0)return;let{store:i,editing:s,scale:r}=e,a=n.currentTarget.getBoundingClientRect(),l=fx(t,n.clientX-a.left,a.width),{plan:c,doc:h}=i.now;if(e.choose(t),c===null)return;let u=null,d=LP(i,t),f=i.items(t.who).filter(v=>v.lane==="spans"),p=v=>DP(t,l,r,v.clientX-n.clientX,v.altKey?[]:d,i.fps),x=v=>{let M=p(v);if(l!=="whole")return jc(h,c,t,l,M);let S=mx(f,t,M);return S===null?Vo(h,c,t,M):$g(h,c,t.who,t.span,S)},m=v=>{let M=l==="whole"?mx(f,t,p(v)):null;e.chooseId(M===null?t.id:He(fe(t.who,M)))};ps(n,v=>{u===null&&Math.abs(v.clientX-n.clientX)<gx||(u??=s.begin(NP(t,l)),u?.update(x(v),v.timeStamp),u!==null&&!u.isOver&&m(v))},()=>{u?.isOver&&e.chooseId(t.id),u?.finish(),e.focusChosen()})}function LP(n,t){let e=n.items(t.who).filter(i=>i.id!==t.id);return[n.now.frame/n.fps,...e.flatMap(i=>[i.start,i.end])]}function DP(n,t,e,i,s,r){let o=t==="end"?n.end:n.start,a=o+e.seconds(i),l=px(a,s,e.seconds(IP));return(l===a?Math.round(a*r)/r:l)-o}var NP=(n,t)=>t==="whole"?`move ${n.label}`:`move the ${t} of ${n.label}`;function mx(n,t,e){if(t.lane!=="spans")return null;let i=n.findIndex(a=>a.id===t.id),s=a=>(a.start+a.end)/2,r=n.filter((a,l)=>l>i&&t.end+e>s(a)).at(-1);if(e>0&&r!==void 0)return r.span;let o=n.find((a,l)=>l<i&&t.start+e<s(a));return e<0&&o!==void 0?o.span:null}function xx(n,t,e,i,s){let{store:r,editing:o,scale:a}=i,l=n.currentTarget.getBoundingClientRect().left,c=f=>Math.max(0,a.seconds(f.clientX-l)),h=c(n),u=f=>{let p=c(f);return h<p?[h,p]:[p,h]};ps(n,f=>{s(...u(f))},f=>{let[p,x]=u(f);s(0,0);let{plan:m,doc:g}=r.now;m===null||a.x(x-p)<gx||f.type==="pointercancel"||o.commit(s0(g,m,t.who,e,p,x),`paint ${e}`)})}var OP=["left_hip","right_hip","hips","right_hand"];function _x(n){let t=P("div",{class:"menu",role:"menu","aria-label":"Kinds of spans",hidden:!0}),e=vt("Add span",()=>{s(t.hidden!==!1)},{"aria-haspopup":"menu","aria-expanded":"false",title:"Add a span behind the last, or a reach at the playhead"}),i=P("div",{class:"menu-box"},e,t),s=r=>{t.hidden=!r,e.setAttribute("aria-expanded",String(r)),r&&UP(t,e),r&&t.firstElementChild.focus()};for(let[r,o]of Object.entries(zo)){let a=vt(`${r}: ${o.what}`,()=>{s(!1),e.focus(),BP(n,r)},{role:"menuitem",tabindex:-1});t.append(a)}return i.addEventListener("keydown",r=>{FP(r,t,e,s)}),i.addEventListener("focusout",r=>{!t.hidden&&!i.contains(r.relatedTarget)&&s(!1)}),i}function UP(n,t){let e=t.getBoundingClientRect();n.style.left=`${String(e.left)}px`,n.style.bottom=`${String(window.innerHeight-e.top+2)}px`}function FP(n,t,e,i){let s=[...t.children],r=s.indexOf(document.activeElement),o=kP(n.key,r,s.length);if(t.hidden){if(n.key!=="ArrowDown"&&n.key!=="ArrowUp")return;i(!0)}else if(n.key==="Escape")i(!1),e.focus();else{if(o===null)return;s[o]?.focus()}n.preventDefault(),n.stopPropagation()}function kP(n,t,e){if(n==="Home")return 0;if(n==="End")return e-1;let i={ArrowDown:1,ArrowUp:-1}[n];return i===void 0?null:(t+i+e)%e}function BP({store:n,editing:t,playback:e},i){let{who:s,plan:r,doc:o,library:a}=n.now;if(s===null||r===null)return;let l=jg(r,s,i,n.now.frame/n.fps),c=i==="reach"?Math.round(l*r.fps):kn(r,s)?.last??0,h=Qg(o,r,s,i,l,a,zP(n,s,c)),u=`tracks/${s}/${String(o.tracks?.[s]?.length??0)}`,d=Zc(o,r,s,ue(o,["tracks",s],h));t.commit(d,`add ${i}`)&&(e.pause(),n.set({chosen:u,tab:"span",awaited:u}))}function zP(n,t,e){let i=n.bodies.joints(t,OP,e),[s,r,o,a]=i??[];return s===void 0||r===void 0||o===void 0||a===void 0?null:{at:[o[0],o[2]],ahead:Kc(s,r),hand:a}}var HP="Styles are labels of clips. Write labels.yaml beside the shot (labels: [{clips: run_3, label: run}]) and name it in the cast (anna: {labels: labels.yaml}); then choose one here and paint it on the Style lane.";function vx(n){let{store:t}=n,e=P("div",{class:"who",role:"tablist","aria-label":"Characters"}),i=_x(n),s=P("select",{"aria-label":"Style that is painted on the style lane"}),r=P("label",{class:"brush"},"Paint ",s),o=P("span",{class:"quiet paint-hint",title:HP},"no styles to paint");t.on(["library"],({library:d})=>{let f=d?.styles??[];s.replaceChildren(...f.map(p=>P("option",{value:p},p))),r.hidden=f.length===0,o.hidden=d===null||f.length>0}),t.on(["plan","who","characters"],d=>{let f=Object.keys(d.plan?.tracks??{});e.replaceChildren(...f.map(p=>GP(t,p,d.who===p)))});let a=vt("\u2212",()=>{n.zoom(1/1.4)},{"aria-label":"Zoom out"}),l=vt("+",()=>{n.zoom(1.4)},{"aria-label":"Zoom in"}),c=vt("Fit",()=>{n.fit()},{"aria-label":"Show the whole shot"}),h=P("span",{class:"space"});return{element:P("div",{class:"tl-head"},e,i,r,o,h,a,l,c),style:()=>s.value}}function GP(n,t,e){let i=P("span",{class:"dot","aria-hidden":!0});i.style.background=n.now.characters[t]?.color??"";let s=vt("",()=>{n.set({who:t})},{role:"tab","aria-selected":String(e),class:"who-tab",tabindex:0});return s.append(i,t),s}var VP={",":-1,".":1,"<":-10,">":10};function bx(n,t,e){let{store:i,editing:s}=e,{plan:r,doc:o}=i.now;if(r===null)return!1;let a=WP(n);if(a!==null){let c=a/r.fps,h=n.altKey?jc(o,r,t,"end",c):Vo(o,r,t,c);return s.commit(h,`move ${t.label}`),!0}if(n.key==="Delete"||n.key==="Backspace")return s.commit(or(o,r,t),`delete ${t.label}`),!0;if(n.key==="Enter"||n.key==="F2")return e.open(t),!0;if(n.altKey)return!1;let l=XP(n.key,t,e.lanes());return l===null?!1:(e.focus(l),!0)}function WP(n){let t={ArrowLeft:-1,ArrowRight:1}[n.key];return t!==void 0&&(n.ctrlKey||n.metaKey)?t*(n.shiftKey?10:1):VP[n.key]??null}function XP(n,t,e){let i=e.filter(h=>h.items.length>0),s=i.findIndex(h=>h.items.some(u=>u.id===t.id)),r=i[s]?.items??[],o=r.findIndex(h=>h.id===t.id);if(n==="ArrowLeft")return r[o-1]??null;if(n==="ArrowRight")return r[o+1]??null;let a={ArrowUp:-1,ArrowDown:1}[n];if(a===void 0)return null;let l=h=>Math.abs(h.start-t.start);return(i[s+a]?.items??[]).reduce((h,u)=>h===null||l(u)<l(h)?u:h,null)}function $P(n,t){return n.filter(({middle:e})=>e>t).map(({name:e})=>e)}function Sx(n,t){let e=vt("",()=>{n.scrollTo({top:n.scrollHeight})},{class:"more-lanes",hidden:!0});return{element:e,refresh:()=>{let s=n.querySelector(".tl-curves")?.getBoundingClientRect(),r=n.getBoundingClientRect().bottom,o=Math.min(r,s?.top??r),a=[...t.children].map(c=>{let{top:h,height:u}=c.getBoundingClientRect();return{name:c.querySelector(".lane-name")?.textContent??"",middle:h+u/2}}),l=$P(a,o);e.hidden=l.length===0,e.style.bottom=`${String(Math.max(0,r-o)+3)}px`,Se(e,`\u25BE ${l.join(", ")}`)}}}var ti=104,YP=22,Ch=class{constructor(t,e){this.tools=e;let{store:i,editing:s}=e,{scale:r}=this;this.drags={store:i,editing:s,scale:r,choose:e.choose,chooseId:c=>{i.set({chosen:c})},focusChosen:()=>{this.items.get(i.now.chosen??"")?.focus({preventScroll:!0})}};let o=vx({store:i,editing:s,playback:e.playback,fit:()=>{this.fit()},zoom:c=>{this.zoom(c)}});this.style=o.style,this.curves=ax(e,r);let a=P("div",{class:"ruler-row"},P("div",{class:"lane-name"}),this.ruler),l=P("div",{class:"tl-inner"},a,this.body,this.curves.element,this.playhead);this.scroll.append(l),this.more=Sx(this.scroll,this.body),t.append(o.element,this.scroll,this.more.element),this.listen()}tools;scale=new Ah;scroll=P("div",{class:"tl-scroll"});ruler=P("canvas",{class:"ruler"});body=P("div",{class:"lanes"});playhead=P("div",{class:"playhead","aria-hidden":!0});painted=P("div",{class:"painted",hidden:!0});items=new Map;shown=new Map;strips=new Map;rows=new Map;curves;drags;more;style;lanes=[];isFitted=!1;listen(){let{store:t}=this.tools;this.scroll.addEventListener("scroll",()=>{this.drawSheets(),this.more.refresh()}),this.scroll.addEventListener("wheel",e=>{e.ctrlKey&&(e.preventDefault(),this.zoom(Math.exp(-e.deltaY/300),e.clientX))},{passive:!1}),this.ruler.addEventListener("pointerdown",e=>{let i=s=>{this.seekTo(s)};this.tools.playback.pause(),i(e),ps(e,i,()=>{})}),new ResizeObserver(()=>{this.drawSheets(),this.more.refresh()}).observe(this.scroll),t.onCalm(["doc","plan","who","chosen","bent","characters","report","naturalness"],()=>{this.show()}),t.on(["frame"],e=>{this.movePlayhead(e.frame/t.fps,!0)}),t.on(["awaited","plan"],({awaited:e})=>{e!==null&&this.reveal(e)})}drawSheets(){let{scale:t,scroll:e}=this,i=e.clientWidth-ti,s=t.seconds(e.scrollLeft),{fps:r,duration:o}=this.tools.store,a=gr(this.ruler,i,YP,s,r,t);a!==null&&rx(a,o);for(let l of this.lanes){let c=this.strips.get(l.id);if(c===void 0)continue;let h=gr(c,i,l.height,s,r,t);h!==null&&this.drawStrip(h,l)}this.curves.draw(i,s)}drawStrip(t,{kind:e,who:i}){let{store:s,tracks:r}=this.tools;e==="contacts"?tx(t,r().get(i)?.contacts??{}):e==="meet"?nx(t,xf(s,i),i):ex(t,s.now.report[i]?.pieces??[],s.now.report[i]?.isOld)}zoom(t,e){let i=this.scroll.getBoundingClientRect().left+ti,{frame:s}=this.tools.store.now,r=e===void 0?s/this.tools.store.fps:this.scale.seconds(e-i+this.scroll.scrollLeft),o=this.scale.x(r)-this.scroll.scrollLeft;this.scale.zoom(t),this.show(),this.scroll.scrollLeft=this.scale.x(r)-o,this.drawSheets()}fit(){this.scale.fit(this.tools.store.duration,this.scroll.clientWidth-ti),this.show(),this.scroll.scrollLeft=0}focus(t){this.tools.choose(t),this.items.get(t.id)?.focus()}reveal(t){let{store:e,playback:i}=this.tools,s=this.shown.get(t);if(s===void 0)return;let r=this.scale.x(s.start),o=Math.max(this.scroll.clientWidth-ti-40,40),a=Math.min(this.scale.x(Math.max(s.end,s.start)),r+o),{scrollLeft:l}=this.scroll;r<l?this.scroll.scrollLeft=Math.max(0,r-40):a>l+o&&(this.scroll.scrollLeft=a-o),i.seek(Math.round(s.start*e.fps)),this.items.get(t)?.scrollIntoView({block:"nearest",inline:"nearest"}),this.items.get(t)?.focus({preventScroll:!0}),e.set({awaited:null})}seekTo(t){let e=this.ruler.getBoundingClientRect().left,i=this.scale.seconds(t.clientX-e+this.scroll.scrollLeft);this.tools.playback.seek(Math.round(i*this.tools.store.fps))}movePlayhead(t,e){let i=ti+this.scale.x(t);this.playhead.style.transform=`translateX(${String(i)}px)`;let{scrollLeft:s,clientWidth:r}=this.scroll,o=i<s+ti||i>s+r-8;e&&o&&(this.scroll.scrollLeft=i-ti-40)}show(){let{store:t}=this.tools;!this.isFitted&&t.duration>0&&this.scroll.clientWidth>ti&&(this.isFitted=!0,this.scale.fit(t.duration,this.scroll.clientWidth-ti)),this.lanes=lx(t);let e=ti+this.scale.x(t.duration+2);this.body.style.width=`${String(Math.ceil(e))}px`,this.placeRows(),this.placeItems(),this.movePlayhead(t.now.frame/t.fps,!1),this.drawSheets(),this.more.refresh()}placeRows(){let t=new Set(this.lanes.map(e=>e.id));for(let[e,i]of this.rows)t.has(e)||(i.remove(),this.rows.delete(e),this.strips.delete(e));this.lanes.forEach((e,i)=>{let s=this.rows.get(e.id)??this.makeRow(e),r=e.who===this.tools.store.now.who?e.label:e.who;Se(s.firstElementChild,r),s.style.height=`${String(e.height)}px`,this.body.children[i]!==s&&this.body.insertBefore(s,this.body.children[i]??null)})}makeRow(t){let e=P("div",{class:"lane-name"}),i=P("div",{class:"lane","data-kind":t.kind,role:"group"},e);i.setAttribute("aria-label",`${t.label} of ${t.who}`);let s=P("div",{class:"lane-field"});if(t.kind==="contacts"||t.kind==="pieces"||t.kind==="meet"){let r=P("canvas",{class:"strip"});t.kind==="meet"&&r.addEventListener("pointerdown",()=>{this.tools.store.set({tab:"shot"})}),this.strips.set(t.id,r),i.append(r)}else i.append(s);return s.addEventListener("pointerdown",r=>{this.pressField(r,t)}),this.rows.set(t.id,i),i}pressField(t,e){if(t.target!==t.currentTarget||t.button!==0)return;let{store:i}=this.tools;e.who!==i.now.who&&i.set({who:e.who}),this.tools.choose(null);let s=this.style();if(e.kind!=="style"||s===""){this.seekTo(t);return}t.currentTarget.append(this.painted),xx(t,e,s,this.drags,(o,a)=>{this.painted.hidden=a<=o,this.painted.style.left=`${String(this.scale.x(o))}px`,this.painted.style.width=`${String(this.scale.x(a-o))}px`})}placeItems(){let t=new Set(this.items.keys()),{chosen:e}=this.tools.store.now,s=!this.lanes.some(r=>r.items.some(o=>o.id===e));for(let r of this.lanes){let o=this.rows.get(r.id)?.querySelector(".lane-field");r.items.forEach((a,l)=>{t.delete(a.id);let c=this.placeItem(a,r.rows[l]??0,o??this.body);c.tabIndex=a.id===e||s?0:-1,s=!1})}for(let r of t)this.items.get(r)?.remove(),this.items.delete(r),this.shown.delete(r)}placeItem(t,e,i){let{chosen:s,bent:r,report:o}=this.tools.store.now,a=this.items.get(t.id)??this.newItem(t);this.shown.set(t.id,t),a.parentElement!==i&&i.append(a);let l=o[t.who]?.spans.find(h=>h.id===t.label),c=t.lane==="spans"||t.lane==="layer";return dx(a,t,this.scale,{isChosen:t.id===s,isBent:c&&r.has(`${t.who}/${t.label}`),hasProblem:c&&l!==void 0&&l.problems.length>0,row:e}),a}newItem(t){let e=hx(t),i=()=>this.shown.get(t.id)??t;return e.addEventListener("pointerdown",s=>{yx(s,i(),this.drags)}),e.addEventListener("focus",()=>{this.tools.store.now.chosen!==t.id&&this.tools.choose(i())}),e.addEventListener("dblclick",()=>{this.tools.open(i())}),e.addEventListener("keydown",s=>{let{store:r,editing:o,open:a}=this.tools,l=()=>this.lanes,c=h=>{this.focus(h)};bx(s,i(),{store:r,editing:o,lanes:l,focus:c,open:a})&&(s.preventDefault(),s.stopPropagation())}),this.items.set(t.id,e),e}};var KP=2e8;function wx(n){let t=new Th,e=Wy(n),i=new cs(e.view),s=new xs;i.attach(s),t.bodies=Dg(i);let r=L=>y.send(L),o=new zc(t,r),a=new bh(i);o.onAnswer=L=>{a.answered(L)};let l=L=>{t.choose(L)},c=L=>{t.set({chosen:L,tab:"span",who:L.split("/")[1]??t.now.who})},h=L=>{l(L),e.root.classList.add("panel-open"),e.panel.querySelector(".span-panel input, .span-panel select")?.focus()},u=L=>{Se(e.said,L)},d=new dh({store:t,editing:o,playback:s,stage:i,say:u}),f=()=>new Map([...i.figures].flatMap(([L,I])=>I.track===null?[]:[[L,I.track]])),p=new Ch(e.timeline,{store:t,editing:o,playback:s,tracks:f,choose:l,open:h}),x=new kc(r,()=>t.now.welcome?.limits.upload??KP,()=>t.now.welcome?.kinds??[]);x.onRefused=L=>{Qn(t,{message:L})};let m={store:t,editing:o,playback:s,send:r,choose:c},g=Dy(t,r);Iy(e.panel,t,{span:Py(m),report:dy(m),library:sy(t,o,x),shot:Ey({...m,begin:g.open}),export:iy(t,r)});let v=Gy();e.root.append(v.element,g.element,X0(m)),e.view.append(Hy(t),Ny(t)),ry(e.root,x),Xy(e),g0(e.notices,t);let M=new Eh(i,t,s),S=qy(e.tools,t,{fit:()=>{i.fit()},follow:()=>M.toggle(),ghost:()=>d.ghost.toggle()});Ky(e.bar,t,o,s,{help:v.toggle,panel:()=>{e.root.classList.toggle("panel-open")},tab:L=>{t.set({tab:L}),e.root.classList.add("panel-open")},problem:()=>{let[L]=t.now.shot?.problems??[];L!==void 0&&(mh(t,L),Qn(t,B0(L))),t.set({tab:"report"}),e.root.classList.add("panel-open")},solve:()=>{r({type:"solve",quality:"final"})}}),ny({store:t,editing:o,playback:s,stage:i,follow:S.follow,ghost:S.ghost,help:v.toggle,close:()=>{let L=e.root.classList.contains("panel-open");return e.root.classList.remove("panel-open"),L}}),s.onFrame(L=>{t.set({frame:Math.round(L)})}),s.onState(()=>{t.set({isPlaying:s.playing})}),t.on(["isDragging"],({isDragging:L})=>{i.setHasty(L),L||t.set({isPulling:!1})}),t.onCalm(["motions"],()=>{p.drawSheets()}),t.on(["connection"],({connection:L})=>{L==="lost"&&(o.lost(),t.set({making:null,isExporting:!1,idleRev:-1,reportRev:-1}))}),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",L=>{Mx(i,L.matches),p.drawSheets()}),Mx(i,matchMedia("(prefers-color-scheme: dark)").matches),Object.assign(window,{motionloom:H0(t,i,d.joints,s)});let T=!0,A=!1,y=Ig({url:`${location.protocol==="https:"?"wss":"ws"}://${location.host}/socket`,onState:L=>{t.set({connection:L})},onMessage:L=>{z0(L,{store:t,editing:o,playback:s,stage:i,onMotion:()=>{w()},onUpload:I=>{x.ended(I)}})}}),w=()=>{t.set({motions:t.now.motions+1}),!A&&t.now.plan!==null&&(A=!0,i.fit([38,18])),T&&(T=!1,i.fit([38,18]),s.play(),performance.mark("first-motion"))}}function Mx(n,t){document.documentElement.dataset.scheme=t?"dark":"light",n.setScheme(t?"dark":"light")}var ZP=255,Ph=class{constructor(t){this.cloud=t;let e=new Xn(t.radius,10,8);this.mesh=new ji(e,new On,this.count),this.mesh.frustumCulled=!1,this.ramp=t.ramp.map(s=>new Rt(s));let i=new Float32Array(this.count*3).fill(1);this.mesh.instanceColor=new Ji(i,3),t.shift&&this.mesh.position.set(...t.shift),this.show(0)}cloud;mesh;ramp;shown=-1;get count(){return this.cloud.n>0?this.cloud.steps.length/this.cloud.n:0}show(t){let e=Math.min(Math.max(Math.round(t),0),this.cloud.n-1);if(e===this.shown)return;this.shown=e;let i=new kt;for(let s=0;s<this.count;s++){let r=this.placeOf(s,e);r?i.makeTranslation(r):i.makeScale(0,0,0),this.mesh.setMatrixAt(s,i);let o=this.ramp[this.cloud.steps[e*this.count+s]??0];o&&this.mesh.setColorAt(s,o)}this.mesh.instanceMatrix.needsUpdate=!0,this.mesh.instanceColor&&(this.mesh.instanceColor.needsUpdate=!0)}placeOf(t,e=this.shown){let i=e*this.count+t;if(this.cloud.steps[i]===ZP)return null;let{points:s}=this.cloud;return new C(s[i*3],s[i*3+1],s[i*3+2])}landmarks(){let t=[],e=Math.max(Math.floor(this.cloud.n/60),1);for(let i=0;i<this.cloud.n;i+=e)for(let s=0;s<this.count;s++){let r=this.placeOf(s,i);r&&t.push(r.add(this.mesh.position))}return t}dispose(){this.mesh.geometry.dispose(),this.mesh.material.dispose(),this.mesh.dispose()}};function xe(n,t={},...e){let i=document.createElement(n);for(let[s,r]of Object.entries(t))i.setAttribute(s,r);return i.append(...e),i}function jo(n,t,e){let i=xe("button",{type:"button",title:t,"aria-label":t},n);return i.addEventListener("click",e),i}function yr(n,t,e,i){let s=xe("input",{type:"checkbox"});return s.checked=e,s.addEventListener("change",()=>{i(s.checked)}),xe("label",{title:t,class:"page-tick"},s,n)}function Ex(n,t,e,i){let s=xe("select",{title:n,"aria-label":n});for(let[r,o]of t)s.append(xe("option",{value:r},o));return s.value=e,s.addEventListener("change",()=>{i(s.value)}),s}var JP=["0.1","0.25","0.5","1","2","4"],Rh=class{constructor(t,e,i,s){this.playback=t;this.counting=e;this.toggle=jo("\u25B6","play or pause (space, K)",()=>{t.toggle()}),this.toggle.classList.add("page-play");let r=jo("\u25C0\u2758","one frame back (left arrow)",()=>{t.step(-1)}),o=jo("\u2758\u25B6","one frame on (right arrow)",()=>{t.step(1)});this.speed=Ex("speed of playing",JP.map(c=>[c,`${c}\xD7`]),"1",c=>{t.setSpeed(Number(c))}),this.slider.addEventListener("input",()=>{t.pause(),t.seek(Number(this.slider.value))});let a=xe("div",{class:"page-row"},r,this.toggle,o,this.slider,this.count,this.clock,this.speed),l=xe("div",{class:"page-row"},yr("follow","the camera follows the body (F)",!1,i.follow),yr("names","names of all joints; without it, of the one under the mouse (N)",!1,i.names),yr("traces","ways of hands and feet around now (T)",!1,i.traces),yr("curves","speeds and contacts over time (C)",t.total>1,i.curves),yr("dark","dark ground (D)",s,i.dark),jo("see all","see the whole motion (A)",i.fit),xe("span",{class:"page-help"},"drag to look around \xB7 right drag to move \xB7 scroll to come nearer \xB7 space, \u2190 \u2192, J K L, Home, End"));if(this.element=xe("section",{class:"page-bar","aria-label":"playback"},a,l),t.total<2)for(let c of[r,o,this.toggle,this.slider])c.disabled=!0;t.onFrame(()=>{this.show()}),t.onState(()=>{this.show()}),this.show()}playback;counting;element;toggle;slider=xe("input",{type:"range",min:"0",step:"1","aria-label":"frame"});count=xe("output",{class:"page-count",id:"frame"});clock=xe("output",{class:"page-count"});speed;flip(t){for(let e of this.element.querySelectorAll("label.page-tick"))e.textContent===t&&e.querySelector("input")?.click()}show(){let{playback:t,counting:e}=this;this.slider.max=String(t.total-1),this.slider.value=String(Math.round(t.frame));let i=Math.round(Math.round(t.frame)/t.fps*e.fps);this.count.textContent=`frame ${String(i)} / ${String(e.frames-1)}`,this.clock.textContent=`${t.time.toFixed(2)} s`,this.toggle.textContent=t.playing?"\u275A\u275A":"\u25B6",document.activeElement!==this.speed&&(this.speed.value=String(t.speed))}};function Tx(n,t){let e=n.length/3,i=new Float32Array(e),s=Math.max(Math.round(t/30),1);if(e<3)return i;for(let r=0;r<e;r++){let o=Math.max(r-s,0),a=Math.min(r+s,e-1),l=n[a*3]-n[o*3],c=n[a*3+2]-n[o*3+2];i[r]=Math.hypot(l,c)*t/(a-o)}return i}function Ax(n){let{track:t,character:e}=n;return t?Tx(ki(e,t,[e.roles.hips??0]),t.fps):new Float32Array(0)}function Cx(n){let t=n.n>0?n.steps.length/n.n:0,e=new Float32Array(n.n*3);for(let i=0;i<n.n;i++){let s=0;for(let o=i*t;o<(i+1)*t;o++)if(n.steps[o]!==255){s++;for(let a=0;a<3;a++)e[i*3+a]=e[i*3+a]+n.points[o*3+a]}let r=Math.max(i-1,0)*3;for(let o=0;o<3;o++){let a=i*3+o;e[a]=s>0?e[a]/s:e[r+o]}}return Tx(e,n.fps)}function Px(n){let t=n.map(e=>{let i=Float32Array.from(e).sort();return 1.2*(i[Math.floor(.99*(i.length-1))]??0)});return Math.max(.1,...t)}var Ih=20,_f=8,ys=10,Lh=class{constructor(t,e,i){this.playback=t;this.curves=e;this.times=i;this.canvas.className="page-curves",this.canvas.setAttribute("role","img"),this.canvas.setAttribute("aria-label","speed of the body over time, with contacts of the feet as bars"),this.most=Px(e.map(s=>s.speed)),this.rows=e.flatMap(s=>s.contacts).slice(0,6);for(let s of["pointerdown","pointermove"])this.canvas.addEventListener(s,r=>{this.seek(r)});t.onFrame(()=>{this.cursor()}),new ResizeObserver(()=>{this.draw()}).observe(this.canvas)}playback;curves;times;canvas=document.createElement("canvas");most;rows;back=document.createElement("canvas");draw(){let{canvas:t}=this,e=devicePixelRatio||1,[i,s]=[t.clientWidth,t.clientHeight],r=this.back.getContext("2d");if(!r||i===0||s===0)return;for(let a of[t,this.back])a.width=Math.round(i*e),a.height=Math.round(s*e);r.setTransform(e,0,0,e,0,0);let o=getComputedStyle(t);this.words(r,o.color),this.targets(r,o.getPropertyValue("--accent"));for(let a of this.curves)this.line(r,a);this.bars(r),this.cursor()}get bottom(){return this.canvas.clientHeight-6-_f*this.rows.length}x(t){return ys+(this.canvas.clientWidth-2*ys)*t/Math.max(this.playback.total-1,1)}words(t,e){t.font="12px system-ui, sans-serif",t.fillStyle=e;let i=this.rows.length>0?"; bars: contacts":"";t.fillText(`speed of the body, to ${this.most.toFixed(1)} m/s${i}`,ys,13),t.globalAlpha=.3,t.fillRect(ys,this.bottom,this.canvas.clientWidth-2*ys,1),t.globalAlpha=1}targets(t,e){t.strokeStyle=e,t.lineWidth=1,t.setLineDash([2,3]);for(let i of this.times){let s=this.x(i*this.playback.fps);t.beginPath(),t.moveTo(s,Ih),t.lineTo(s,this.bottom),t.stroke()}t.setLineDash([])}line(t,e){let{speed:i}=e,s=Math.max(Math.floor(i.length/(2*this.canvas.clientWidth)),1);t.strokeStyle=e.color,t.lineWidth=1.6,t.beginPath();for(let r=0;r<i.length;r+=s){let o=Math.min(i[r]/this.most,1);t.lineTo(this.x(r),this.bottom-(this.bottom-Ih)*o)}t.stroke()}bars(t){this.rows.forEach(({down:e,color:i},s)=>{t.fillStyle=i;for(let[r,o]of vd(e)){let a=this.x(Math.max(r-.5,0));t.fillRect(a,this.bottom+4+_f*s,Math.max(this.x(o+.5)-a,1),_f-3)}})}cursor(){let t=this.canvas.getContext("2d");if(!t||this.back.width===0||this.canvas.clientWidth===0)return;let e=devicePixelRatio||1;t.setTransform(1,0,0,1,0,0),t.clearRect(0,0,this.canvas.width,this.canvas.height),t.drawImage(this.back,0,0),t.setTransform(e,0,0,e,0,0),t.fillStyle=getComputedStyle(this.canvas).getPropertyValue("--accent"),t.fillRect(this.x(this.playback.frame)-.75,Ih-4,1.5,this.canvas.clientHeight-Ih)}seek(t){if(t.buttons!==1)return;t.type==="pointerdown"&&this.canvas.setPointerCapture(t.pointerId);let e=(t.offsetX-ys)/Math.max(this.canvas.clientWidth-2*ys,1);this.playback.pause(),this.playback.seek(Math.round(e*(this.playback.total-1)))}};function jP(n){return typeof n=="object"&&n!==null&&"gz"in n&&typeof n.gz=="string"}function QP(n){let t=atob(n),e=new Uint8Array(t.length);for(let i=0;i<t.length;i++)e[i]=t.charCodeAt(i);return e}async function tR(n){let t=new Blob([n]).stream().pipeThrough(new DecompressionStream("gzip"));return new Uint8Array(await new Response(t).arrayBuffer())}function eR(n,t,e){let i=t*e,s=new Int16Array(i);for(let r=0;r<e;r++){let o=0;for(let a=0;a<t;a++){let l=r*t+a;o=o+(n[l]??0)+((n[i+l]??0)<<8)&65535,s[a*e+r]=o}}return new Uint8Array(s.buffer)}async function Dh(n){if(jP(n)){let e=await tR(QP(n.gz));return n.delta?eR(e,...n.delta):e}if(Array.isArray(n))return Promise.all(n.map(Dh));if(typeof n!="object"||n===null)return n;let t=Object.entries(n).map(async([e,i])=>[e,await Dh(i)]);return Object.fromEntries(await Promise.all(t))}async function Rx(n){let t=await Dh(JSON.parse(n)),e=i=>t[i]??[];return{title:String(t.title),facts:String(t.facts),fps:Number(t.fps),frames:Number(t.frames),characters:e("characters").map(fh),motions:e("motions").map(ph),clouds:e("clouds").map(D0),drawables:e("drawables"),legend:e("legend"),meaning:String(t.meaning??""),ramp:e("ramp"),captions:!!t.captions,camera:t.camera??[38,18]}}function Ix(n){return n.map(({text:t,color:e})=>{let i=xe("i",{class:"page-ink"});return i.style.background=e,xe("span",{class:"page-named-ink"},i,t)})}function Lx(n){let t=xe("p",{class:"page-legend"},...Ix(n.legend)),e=xe("header",{class:"page-header"},xe("h1",{},n.title),xe("p",{},n.facts),t);return n.ramp.length>0&&e.append(xe("p",{class:"page-legend"},n.meaning,...Ix(n.ramp))),e}function nR(n,t){let e=i=>{n.setSpeed(i),n.play()};return{" ":()=>{n.toggle()},k:()=>{n.toggle()},j:()=>{e(n.playing&&n.speed<0?2*n.speed:-1)},l:()=>{e(n.playing&&n.speed>=1?2*n.speed:1)},ArrowLeft:()=>{n.step(-1)},ArrowRight:()=>{n.step(1)},PageUp:()=>{n.step(-Math.round(n.fps))},PageDown:()=>{n.step(Math.round(n.fps))},Home:()=>{n.pause(),n.seek(0)},End:()=>{n.pause(),n.seek(n.total-1)},...t}}function iR(n){if(n.ctrlKey||n.altKey||n.metaKey)return!0;let t=n.target;return t?.matches("select, textarea")?!0:n.key===" "&&(t?.matches("button, input[type=checkbox]")??!1)}function Dx(n,t){let e=nR(n,t);addEventListener("keydown",i=>{let s=e[i.key]??e[i.key.toLowerCase()];!s||iR(i)||(i.preventDefault(),i.stopPropagation(),s())},!0)}var sR=12,Nh=class{constructor(t,e){this.stage=t;this.clouds=e;t.canvas.addEventListener("pointermove",i=>{i.buttons===0&&this.hover(i.clientX,i.clientY)}),t.canvas.addEventListener("pointerleave",()=>{this.unhover()})}stage;clouds;shown=!1;showAll(t){this.shown=t,this.stage.labels.removeAll("name/"),t&&this.eachJoint((e,i,s,r)=>{this.stage.labels.set(`name/${e}/${String(i)}`,s,r,"name")}),this.stage.invalidate()}eachJoint(t){for(let e of this.stage.figures.values())e.character.names.forEach((i,s)=>{t(e.character.id,s,i,()=>e.jointAt(s))});for(let e of this.clouds)e.cloud.labels.forEach((i,s)=>{t(e.cloud.id,s,i,()=>e.placeOf(s)?.add(e.mesh.position)??null)})}hover(t,e){if(this.shown)return;let[i]=this.stage.pick(t,e);if(i?.kind==="joint"){let{who:s,joint:r}=i,o=this.stage.figures.get(s),a=()=>o?.jointAt(r)??null;this.stage.labels.set("hover",i.name,a,"name")}else if(!this.hoverMarker(t,e)){this.unhover();return}this.stage.invalidate()}hoverMarker(t,e){let i=this.stage.canvas.getBoundingClientRect(),s=!1,r=sR;return this.eachJoint((o,a,l,c)=>{let h=c();if(!h)return;let u=this.stage.picker.project(h),d=Math.hypot(u.x-(t-i.left),u.y-(e-i.top));u.z>1||d>=r||(r=d,s=!0,this.stage.labels.set("hover",l,c,"name"))}),s}unhover(){this.stage.labels.remove("hover"),this.stage.invalidate()}};var Nx=["#009e73","#cc79a7","#e69f00"];function rR(n,t){for(let s of t.characters)n.addCharacter(s);for(let s of t.motions)n.setMotion(s);let e=t.drawables.map((s,r)=>[`page:${String(r)}`,s]);n.setDrawables(new Map(e));let i=t.clouds.map(s=>new Ph(s));for(let s of i)n.addCloud(s),s.cloud.who!==null&&n.figures.get(s.cloud.who)?.body.setTranslucent(.45);return t.captions&&oR(n,i),i}function oR(n,t){for(let e of n.figures.values()){e.show(0);let i=e.center.setY(0);n.labels.set(`caption/${e.character.id}`,e.character.name,()=>i.clone(),"caption")}for(let{cloud:e,mesh:i}of t.filter(s=>s.cloud.who===null)){let s=new C(e.points[0],0,e.points[2]).add(i.position);n.labels.set(`caption/${e.id}`,e.name,()=>s.clone(),"caption")}}function aR(n,t,e){let i=[...n.figures.values()],s=t.filter(({cloud:o})=>o.who===null),r=i.map((o,a)=>{let[l,c,h]=Fi(o.character).map(f=>`#${f.getHexString()}`),u=a>0?[]:Object.entries(o.track?.contacts??{}),d=[h,l,c];return{speed:Ax(o),color:(a>0&&o.character.tints&&e.captions?Nx[(a-1)%Nx.length]:l)??"#888888",contacts:u.map(([f,p])=>{let x=o.character.sides[_c(o.character,f)]??0;return{name:f,down:p,color:d[x+1]??"#888888"}})}});for(let{cloud:o}of s)r.push({speed:Cx(o),color:o.ramp[0]??"#888888",contacts:[]});return r}function lR(n){let t=[...n.motions.map(({total:i,fps:s})=>({total:i,fps:s})),...n.clouds.map(({n:i,fps:s})=>({total:i,fps:s}))],e=Math.max(...t.map(i=>i.fps));return{fps:e,total:Math.max(...t.map(i=>Math.round((i.total-1)/i.fps*e)+1))}}async function Ox(n,t){let e=await Rx(t),i=xe("div",{class:"page-view"});n.append(i);let s=Ao();document.documentElement.dataset.scheme=s;let r=new cs(i,{scheme:s}),o=rR(r,e),a=new xs,{total:l,fps:c}=lR(e);a.setLength(l,c);let h=e.drawables.filter(M=>!M.who||M.who===e.characters[0]?.id),u=new Lh(a,aR(r,o,e),h.flatMap(M=>typeof M.time=="number"?[M.time]:[])),d=new Nh(r,o),f=M=>{document.documentElement.dataset.scheme=M,r.setScheme(M),u.draw()},p=xe("footer",{class:"page-panel"}),x=new Rh(a,{fps:e.fps,frames:e.frames},{follow:M=>{r.follow(M?e.characters.map(({id:S})=>S):null)},names:M=>{d.showAll(M)},traces:M=>{r.setTraces(M)},curves:M=>{u.canvas.hidden=!M},dark:M=>{f(M?"dark":"light")},fit:()=>{r.fit()}},s==="dark");u.canvas.hidden=a.total<2,p.append(u.canvas,x.element),n.append(Lx(e),p);let m=()=>{r.rig.inset=[0,0,0,p.offsetHeight],r.resize()};m(),new ResizeObserver(m).observe(p);let v=Object.entries({f:"follow",n:"names",t:"traces",c:"curves",d:"dark"}).map(([M,S])=>[M,()=>{x.flip(S)}]);Dx(a,{...Object.fromEntries(v),a:()=>{r.fit()}}),r.attach(a),r.fit(e.camera),a.play(),Object.assign(window,{motionloom:{stage:r,playback:a,data:e}})}var Ux=document.getElementById("app")??document.body,Fx=document.getElementById("motionloom");Fx===null?(document.title="motionloom studio",wx(Ux)):Ox(Ux,Fx.textContent);})();
